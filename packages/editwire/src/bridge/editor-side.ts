import { serveAcp } from "@editwire/acp";
import { listenAcp, serveAcpStdio } from "@editwire/acp/node";
import { type Agent, toAcp, toEca, toHelixZed, toKaiak } from "@editwire/agent";
import { listenEca, serveEcaStdio } from "@editwire/eca/node";
import { detecting } from "@editwire/framing";
import { helixZedProfiles } from "@editwire/helix-zed";
import { dialHelixZed } from "@editwire/helix-zed/node";
import { listenKaiak, serveKaiakStdio } from "@editwire/kaiak/node";
import { listenSocket } from "@editwire/transport/node";
import { listenOptions } from "../agent/endpoint.js";
import { notServed } from "../agent/options.js";
import type { EditorOptions } from "./options.js";
import { patience } from "../agent/patience.js";

/** The side of a bridge that editors connect to. */
export interface Served {
  /** Resolves when the one editor of stdio is gone; it is pending for a listener. */
  readonly gone: Promise<unknown>;
  close(): Promise<unknown>;
}

/** Serves an agent to the editor of a bridge. */
export async function serveEditor(agent: Agent, options: EditorOptions): Promise<Served> {
  switch (options.editor.protocol) {
    case "acp":
      return serveAcpEditor(agent, options);
    case "eca":
      return serveEcaEditor(agent, options);
    case "kaiak":
      return serveKaiakEditor(agent, options);
    case "helix-zed":
      return dialEditor(agent, options);
  }
}

async function serveAcpEditor(agent: Agent, options: EditorOptions): Promise<Served> {
  const { editor, onDiagnostic, onError, onListening } = options;
  const { endpoint, token } = editor;
  const served = toAcp(agent);
  const listeners = { onDiagnostic, onError };
  if (endpoint.kind === "stdio") return once(serveAcpStdio(served, listeners));
  if (endpoint.kind === "unix") {
    const { path } = endpoint;
    const listener = await listenSocket({ path }, detecting(), (transport) => {
      serveAcp(transport, served, listeners);
    });
    onListening("editor", path);
    return listening(listener);
  }
  const listener = await listenAcp(served, { ...listenOptions("editor", endpoint.url, token), token, ...listeners });
  onListening("editor", endpoint.kind === "ws" ? listener.url.replace(/^http/, "ws") : listener.url);
  return listening(listener);
}

async function serveEcaEditor(agent: Agent, options: EditorOptions): Promise<Served> {
  const { editor, onDiagnostic, onError, onListening } = options;
  const listeners = { onDiagnostic, onError };
  const exitGraceMs = patience.closeMs;
  if (editor.endpoint.kind === "stdio") return once(serveEcaStdio(toEca(agent), { ...listeners, exitGraceMs }));
  if (editor.endpoint.kind !== "unix") throw notServed("editor", editor, "stdio, or unix:PATH");
  const { path } = editor.endpoint;
  const listener = await listenEca(() => toEca(agent), { path, ...listeners });
  onListening("editor", path);
  return listening(listener);
}

async function serveKaiakEditor(agent: Agent, options: EditorOptions): Promise<Served> {
  const { editor, onDiagnostic, onError, onListening } = options;
  const served = toKaiak(agent);
  const listeners = { onDiagnostic, onError };
  if (editor.endpoint.kind === "stdio") return once(serveKaiakStdio(served, listeners));
  if (editor.endpoint.kind !== "unix") throw notServed("editor", editor, "stdio, or unix:PATH");
  const listener = await listenKaiak(served, { path: editor.endpoint.path, ...listeners });
  onListening("editor", editor.endpoint.path);
  return listening(listener);
}

/** The host listens: this side dials it, and dials again whenever it is gone. */
function dialEditor(agent: Agent, options: EditorOptions): Served {
  const { editor, id, helixZedProfile = "spec", onDiagnostic, onError } = options;
  const { endpoint, token, cwd, permission } = editor;
  if (endpoint.kind !== "ws" && endpoint.kind !== "http")
    throw notServed("editor", editor, "ws://HOST:PORT of the host, which this side dials");
  const served = toHelixZed(agent, { cwd, permission });
  const profile = helixZedProfiles[helixZedProfile];
  const connection = dialHelixZed(served, { url: endpoint.url, sessionId: id, profile, token, onDiagnostic, onError });
  return listening(connection);
}

function once({ closed, close }: { readonly closed: Promise<unknown>; close(): Promise<unknown> }): Served {
  return { gone: closed, close };
}

function listening({ close }: { close(): Promise<unknown> }): Served {
  return { gone: new Promise(() => {}), close };
}
