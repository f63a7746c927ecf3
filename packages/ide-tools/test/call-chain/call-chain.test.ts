import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SmanToolInputs } from "@editwire/sman-schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IdeTools, openIdeTools } from "../../src/tools.js";
import { answerOf } from "../support/trap.js";

const java = {
  "src/com/shop/Order.java": `package com.shop;

import com.shop.pay.Payment;
import java.util.List;

public class Order extends Base {
  private final Payment payment = new Payment();
  private List<String> log;

  public Order(String id) {
    super(id);
  }

  public void submit(Customer customer) {
    check();
    payment.charge(customer.limit());
    this.payment.audit().store();
    System.out.println("done");
  }

  private void check() {
    validate();
  }
}
`,
  "src/com/shop/Base.java": "package com.shop;\nclass Base {\n  Base(String id) {}\n  void validate() {}\n}\n",
  "src/com/shop/Customer.java": "package com.shop;\ninterface Customer {\n  int limit();\n}\n",
  "src/com/shop/Vip.java":
    "package com.shop;\nclass Vip implements Customer {\n  public int limit() { return 9; }\n  class Card {\n" +
    "    void use() {}\n  }\n}\n",
  "src/com/shop/pay/Payment.java":
    "package com.shop.pay;\npublic class Payment {\n  public void charge(int amount) {}\n" +
    "  public Audit audit() { return null; }\n}\n",
  "src/com/shop/pay/Audit.java": "package com.shop.pay;\nclass Audit {\n  void store() {}\n}\n",
  "src/com/other/Payment.java": "package com.other;\npublic class Payment {\n  public void charge(int amount) {}\n}\n",
  "src/com/shop/Shop.java": `package com.shop;
class Shop {
  void run() {
    Order order = new Order("1");
    var second = new Order("2");
    order.submit(null);
    second.submit(null);
    unknown().submit(null);
    Runnable r = order::submit;
  }
  void day() { run(); }
}
`,
};

const kotlin = {
  "kt/Main.kt": `package app

class Main(private val store: Store, val name: String) : Runner() {
  val cache: Cache = Cache()
  override fun run(item: Item?): Result {
    val made = Maker.make()
    made.build().ship()
    store.save(item)
    cache.put(1).let { helper() }
    item.describe()
    this.twice()
    return Result()
  }
  fun twice() { run(null); warm() }
}
object Maker { fun make(): Product = Product() }
fun helper() {}
fun Item.describe() {}
`,
  "kt/Parts.kt": `package app
open class Runner { fun warm() {} }
class Store { fun save(item: Item?) {} }
class Cache { fun put(i: Int) {} }
class Item
class Result
class Product { fun build(): Product = this
  fun ship() {} }
`,
};

const typescript = {
  "ts/view.ts": `import { Model, load as read } from "./model.js";
export class View {
  #count = 0;
  constructor(private readonly model: Model) {}
  async render(): Promise<void> {
    const part = new Part();
    await this.model.fetch().parse();
    part.draw?.(1);
    helper(this);
    this.onClick();
  }
  onClick = () => { this.model.fetch(); };
}
class Part { draw(n: number) {} }
export const helper = (view: View) => view.render();
helper(undefined!);
`,
  "ts/model.ts": `export interface Parsed { parse(): void }
export class Model { fetch(): Parsed { return undefined!; } }
`,
  "js/util.js": `import * as tools from "./tools.js";
export function start(app) { tools.prepare(); app.render(); }
class Timer { tick() { start(this); } }
`,
  "js/tools.js": "export function prepare() {}\n",
};

const python = {
  "py/shop.py": `from payment import Payment

class Base:
    def check(self):
        pass

class Cart(Base):
    def __init__(self, payment: Payment):
        self.payment = payment
        self.log = Log()

    def submit(self, other: "Cart" = None) -> None:
        self.check()
        self.payment.charge(1)
        self.log.write()
        other.submit()
        total()

class Log:
    def write(self): pass

def total():
    return Cart(Payment()).submit()
`,
  "py/payment.py": "class Payment:\n    def charge(self, n): pass\n",
};

let folder = "";
let tools: IdeTools;

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ide-tools-calls-"));
  await write({
    ...java,
    ...kotlin,
    ...typescript,
    ...python,
    ".gitignore": "out/\n",
    "out/Order.java": "class Order {}",
  });
  tools = await openIdeTools(folder);
});
afterAll(async () => {
  await tools.close();
  await rm(folder, { recursive: true });
});

/** The methods that a report lists, each with what follows its place in brackets other than the lines. */
async function listed(params: SmanToolInputs["call_chain"]): Promise<string[]> {
  const report = await tools.call_chain(params);
  return report.split("\n").flatMap((line) => {
    const [, indent, name] = /^( *)- `([^`]*)`/.exec(line) ?? [];
    if (name === undefined) return [];
    const outside = line.includes("outside the project") ? " (outside)" : "";
    return [`${indent}${name}${outside}${line.includes("possible") ? " (maybe)" : ""}`];
  });
}

describe("in Java", () => {
  it("C65 lists callers and callees of a Java method, one call deep, without source", async () => {
    expect(await tools.call_chain({ method: "Order.submit" })).toBe(
      `## Call chain: Order.submit

**Method**: com.shop.Order.submit
**Location**: src/com/shop/Order.java:14-19
**Direction**: both
**Depth**: 1

### Callers

- \`Shop.run\` — src/com/shop/Shop.java:6 (called in line 6, 7, 8, 9)

### Callees

- \`Order.check\` — src/com/shop/Order.java:21 (called in line 15)
- \`Payment.charge\` — src/com/shop/pay/Payment.java:3 (called in line 16)
- \`Customer.limit\` — src/com/shop/Customer.java:3 (called in line 16)
- \`Vip.limit\` — src/com/shop/Vip.java:3 (called in line 16)
- \`Audit.store\` — src/com/shop/pay/Audit.java:3 (called in line 17)
- \`Payment.audit\` — src/com/shop/pay/Payment.java:4 (called in line 17)
- \`System.out.println\` (outside the project, called in line 18)`,
    );
  });

  it("finds constructors, overrides, code in inner classes and full names", async () => {
    expect(await listed({ method: "com.shop.Order.Order", direction: "callers" })).toEqual(["Shop.run"]);
    expect(await listed({ method: "Vip.limit", direction: "callers" })).toEqual(["Order.submit"]);
    expect(await listed({ method: "Base.validate", direction: "callers" })).toEqual(["Order.check"]);
    expect(await listed({ method: "com.shop.Vip.Card.use" })).toEqual([]);
    expect(await listed({ method: "com.other.Payment.charge", direction: "callers" })).toEqual([]);
    expect(await tools.call_chain({ method: "Payment.charge" })).toMatch(
      /^\*\*Method\*\*: com\.other[^]*^\*\*Method\*\*: com\.shop\.pay/m,
    );
  });
});

describe("in other languages", () => {
  it("finds the calls of Kotlin", async () => {
    expect(await listed({ method: "Main.run", direction: "callees" })).toEqual([
      "Maker.make",
      "Product.ship",
      "Product.build",
      "Store.save",
      "let (outside)",
      "Cache.put",
      "Main.helper",
      "Main.describe",
      "Main.twice",
      "Result (outside)",
    ]);
    expect(await listed({ method: "Runner.warm", direction: "callers" })).toEqual(["Main.twice"]);
    expect(await listed({ method: "MainKt.helper", direction: "callers" })).toEqual(["Main.run"]);
  });

  it("finds the calls of TypeScript and JavaScript", async () => {
    expect(await listed({ method: "View.render", direction: "callees" })).toEqual([
      "new Part (outside)",
      "Parsed.parse",
      "Model.fetch",
      "Part.draw",
      "view.helper",
      "View.onClick",
    ]);
    expect(await listed({ method: "Model.fetch", direction: "callers" })).toEqual(["View.render", "View.onClick"]);
    expect(await listed({ method: "view.helper", direction: "callers" })).toEqual([
      "View.render",
      "view (top-level code)",
    ]);
    expect(await listed({ method: "View.render", direction: "callers" })).toEqual([
      "view.helper",
      "util.start (maybe)",
    ]);
    expect(await listed({ method: "util.start" })).toEqual(["Timer.tick", "tools.prepare", "View.render (maybe)"]);
  });

  it("finds the calls of Python", async () => {
    expect(await listed({ method: "Cart.submit" })).toEqual([
      "Cart.submit",
      "shop.total",
      "Base.check",
      "Payment.charge",
      "Log.write",
      "Cart.submit",
      "shop.total",
    ]);
    expect(await listed({ method: "Cart.__init__", direction: "callers" })).toEqual(["shop.total"]);
  });
});

describe("a call", () => {
  it("follows calls up to the depth, and no circle", async () => {
    expect(await listed({ method: "shop.pay.Payment.charge", direction: "callers", depth: 3 })).toEqual([
      "Order.submit",
      "  Shop.run",
      "    Shop.day",
    ]);
    expect(await listed({ method: "Main.twice", direction: "callees", depth: 9 })).toContain("  Main.twice");
  });

  it("shows the source of each method when it is asked", async () => {
    const report = await tools.call_chain({ method: "Base.validate", includeSource: true });
    expect(report).toContain(
      "#### Base.validate — src/com/shop/Base.java\n\n```java\n   4 |     void validate() {}\n```",
    );
    expect(report).toContain("  22 |       validate();\n");
  });

  it.each([
    ["submit", /ClassName\.methodName$/],
    ["Order.", /ClassName\.methodName$/],
    [".submit", /ClassName\.methodName$/],
    ["None.submit", /^The class None is not declared$/],
    ["Order.none", /^The method Order\.none is not declared$/],
  ])("C65 refuses the method %j", async (method, message) => {
    await expect(tools.call_chain({ method })).rejects.toThrow(message);
  });

  it("C65 refuses another direction", async () => {
    const params = { method: "Order.submit", direction: "up" as "both" };
    await expect(tools.call_chain(params)).rejects.toThrow(/direction: /);
  });

  it("C58 reads no other folder that the params name, and C57 follows no link", async () => {
    const outside = await mkdtemp(join(tmpdir(), "ide-tools-outside-"));
    try {
      await writeFile(join(outside, "Secret.java"), "class Secret { void hide() {} }");
      await symlink(join(outside, "Secret.java"), join(folder, "Secret.java"));
      await symlink(outside, join(folder, "linked"));
      const elsewhere = { projectPath: outside, projectRoot: outside };
      const { isError, text } = await answerOf(tools.call_chain({ method: "Secret.hide", ...elsewhere }));
      expect([isError, text]).toEqual([true, "The class Secret is not declared"]);
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it("sees changed, new and removed files, and skips what cannot be read", async () => {
    await write({
      "src/com/shop/Base.java":
        "package com.shop;\nclass Base {\n\n  void validate() { more(); }\n  void more() {}\n}\n",
    });
    await write({
      "a/New.java": "class New { void go(com.shop.Base base) { base.validate(); } }",
      "a/Bad.java": "class \0",
    });
    expect(await listed({ method: "Base.validate" })).toEqual(["New.go", "Order.check", "Base.more"]);
    await rm(join(folder, "a"), { recursive: true });
    await write({ "src/com/shop/Base.java": java["src/com/shop/Base.java"] });
    expect(await listed({ method: "Base.validate" })).toEqual(["Order.check"]);
  });

  it("ends when it is cancelled, and the next one works", async () => {
    const cancel = new AbortController();
    const call = tools.call_chain({ method: "Order.submit" }, { signal: cancel.signal });
    cancel.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    expect(await listed({ method: "Base.validate" })).toEqual(["Order.check"]);
  });
});
