import type { Colors, Look } from "./render/look.js";
import { renderRows, type Row } from "./render/rows.js";
import { oneLine } from "./render/sanitize.js";
import type { Screen } from "./screen.js";
import type { Setting } from "./settings.js";

/** Shows which settings of a session have changed. */
export interface SettingsView {
  /** Takes the settings that a session begins with, and returns them. */
  start(settings: readonly Setting[]): readonly Setting[];
  /** Shows those that are not as they were shown last. */
  show(settings: readonly Setting[]): void;
}

/** Creates the view of one session's settings. */
export function createSettingsView(screen: Screen, { dim }: Colors): SettingsView {
  let shown = new Map<string, string>();
  const take = (settings: readonly Setting[]): void => {
    shown = new Map(settings.map(({ id, current }) => [id, current]));
  };
  return {
    start(settings) {
      take(settings);
      return settings;
    },
    show(settings) {
      const changed = settings.filter(({ id, current }) => shown.get(id) !== current);
      take(settings);
      screen.print(
        "note",
        changed.map(({ id, role, current }) => `${dim(oneLine(role ?? id))} ${oneLine(current)}`),
      );
    },
  };
}

/** The settings with their values, one line for each. */
export function renderSettings(settings: readonly Setting[], look: Look): string[] {
  const rows = settings.map(({ id, name, current, values }): Row => {
    const others = values.map((value) => value.id).filter((value) => value !== current);
    return [`${id} = ${current}`, others.length === 0 ? name : `${name}; or ${others.join(", ")}`];
  });
  return renderRows(rows, look);
}

/** The values of a setting with their descriptions. The current one is marked. */
export function renderValues({ current, values }: Setting, look: Look): string[] {
  const rows = values.map(({ id, name, description }): Row => [id, description ?? name]);
  const marks = values.map(({ id }) => (id === current ? look.colors.green("✓") : " "));
  return renderRows(rows, { ...look, columns: look.columns - 2 }).map((row, index) => `${marks[index]} ${row}`);
}
