import type { Worker } from "node:worker_threads";
import { type CallChainInput, type CallDirection, smanToolDefaults } from "@editwire/sman-schema";
import { ToolError } from "../errors.js";
import { startWorker } from "../workers.js";
import type { ChainQuery } from "./chain.js";
import type { IndexOptions } from "./code-index.js";

/** What the worker is asked. */
export interface ChainRequest {
  readonly id: number;
  readonly query: ChainQuery;
  readonly includeSource: boolean;
}

/** What the worker answers. */
export type ChainAnswer = { readonly id: number } & (
  | { readonly report: string }
  | { readonly refused: string }
  | { readonly failed: unknown }
);

/** Analyzes calls. The index is built by the first call, in a worker, and is brought up to date by the others. */
export interface CallChains {
  call(params: CallChainInput, signal?: AbortSignal): Promise<string>;
  /** Ends the worker; open calls reject. */
  close(): Promise<void>;
}

/** Limits of the analysis. */
export interface CallChainOptions extends IndexOptions {
  /** Milliseconds after which a call rejects; the index is built further for the next one. */
  readonly timeoutMs: number;
}

interface Pending {
  resolve(report: string): void;
  reject(error: unknown): void;
}

/** Opens the analysis of a project. */
export function openCallChains({ timeoutMs, ...options }: CallChainOptions): CallChains {
  const pending = new Map<number, Pending>();
  let worker: Worker | undefined;
  let lastId = 0;

  const fail = (error: unknown): void => {
    worker = undefined;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  const start = (): Worker => {
    const started = startWorker("call-chain/index-worker", options);
    started.on("error", fail);
    started.on("message", (answer: ChainAnswer) => {
      const call = pending.get(answer.id);
      if ("report" in answer) call?.resolve(answer.report);
      else call?.reject("refused" in answer ? new ToolError(answer.refused) : answer.failed);
    });
    return started;
  };

  return {
    async call(params, signal) {
      const query = queryOf(params);
      signal?.throwIfAborted();
      worker ??= start();
      const id = ++lastId;
      const includeSource = params.includeSource ?? smanToolDefaults.call_chain.includeSource;
      const ended = timeoutAfter(timeoutMs, signal);
      try {
        // The worker keeps the process alive only while there are calls.
        worker.ref();
        return await new Promise<string>((resolve, reject) => {
          pending.set(id, { resolve, reject });
          ended.addEventListener("abort", () => reject(ended.reason), { once: true });
          worker?.postMessage({ id, query, includeSource } satisfies ChainRequest);
        });
      } catch (error) {
        if (ended.aborted && signal?.aborted !== true)
          throw new ToolError(`分析超时: 超过 ${timeoutMs} 毫秒, 索引仍在建立, 请稍后重试`);
        throw error;
      } finally {
        pending.delete(id);
        if (pending.size === 0) worker?.unref();
      }
    },
    async close() {
      const ending = worker;
      fail(new ToolError("工具已关闭"));
      await ending?.terminate();
    },
  };
}

function timeoutAfter(ms: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(ms);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

const directions: readonly CallDirection[] = ["callers", "callees", "both"];

function queryOf(params: CallChainInput): ChainQuery {
  const {
    method,
    direction = smanToolDefaults.call_chain.direction,
    depth = smanToolDefaults.call_chain.depth,
  } = params;
  if (!/^[^.]+(?:\.[^.]+)+$/.test(method)) throw new ToolError("方法签名格式错误，应为: ClassName.methodName");
  if (!directions.includes(direction))
    throw new ToolError(`direction 无效: ${direction}, 应为 callers, callees 或 both`);
  return { method, direction, depth };
}
