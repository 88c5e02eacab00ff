import * as z from 'zod/mini';
import { jsonLog, type Log } from '../../../shared/core/log.ts';
import { type ClockSource, pause, timeLimit } from '../../../shared/core/monotonic-clock.ts';
import { endpoint as getReadiness } from '../../api/server/get-readiness/endpoint.ts';
import { NOT_READY, type ProbeEvent, probing } from '../../domain/records/probe.ts';

interface ProbeRequest {
  method: string;
  redirect: 'manual';
  signal: AbortSignal;
}

export interface ProbeContext extends ClockSource {
  fetch: (url: string, request: ProbeRequest) => Promise<Response>;
}

const eventSchema = z.object({ inventories: z.array(z.object({ name: z.string(), url: z.string() })) });

const causeOf = (error: unknown) => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
};

/** @returns why the inventory is not ready; undefined if it is. */
async function ask(url: string, replyMs: number, context: ProbeContext): Promise<string | undefined> {
  try {
    const signal = timeLimit(context, replyMs);
    const reply = await context.fetch(`${url}${getReadiness.path}`, {
      method: getReadiness.method,
      redirect: 'manual',
      signal,
    });
    await reply.arrayBuffer();
    return reply.status === getReadiness.reply.status ? undefined : `status ${reply.status}`;
  } catch (error) {
    return causeOf(error);
  }
}

/** Asks inventories at their addresses, as their users do, whether they are ready. */
export function probeWith(log: Log, context: ProbeContext = { fetch }) {
  const { attempts, pauseMs, replyMs } = probing;
  return async (event: unknown): Promise<void> => {
    const { inventories } = z.parse(eventSchema, event);
    const probe = async ({ name, url }: ProbeEvent['inventories'][number]) => {
      let cause = await ask(url, replyMs, context);
      for (let attempt = 1; cause !== undefined && attempt < attempts; attempt += 1) {
        await pause(context, pauseMs);
        cause = await ask(url, replyMs, context);
      }
      if (cause !== undefined) log({ level: 'error', message: NOT_READY, inventory: name, url, cause });
    };
    await Promise.all(inventories.map(probe));
  };
}

export const handler = probeWith(jsonLog((line) => process.stderr.write(line)));
