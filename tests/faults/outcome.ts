import { checkInvariants, scan } from '../consistency/invariants.ts';
import type { Reply } from '../support/inventory.ts';
import { none, preparations, type RequestCase } from './calls.ts';
import type { FaultyInventory } from './faulty-inventory.ts';
import type { Rule } from './proxy.ts';

/** The longest that API Gateway waits. */
export const GATEWAY_MS = 29_000;

/**
 * The authorizer's reads: the item of a key or session, and the item by its id for an older secret. A fault of them is
 * answered by the gateway, and the request never reaches its function.
 */
const isItemById = (key: any) => /^(KEY|SESSION)_ID#/.test(String(key.pk?.S));
export const ofTheAuthorizer = {
  fits: (body: any) =>
    /^(KEY|SESSION)#/.test(String(body.Key?.pk?.S)) ||
    Object.values<any>(body.RequestItems ?? {}).some(({ Keys = [] }) => Keys.some(isItemById)),
};
export const pastTheAuthorizer = { fits: (body: any) => !ofTheAuthorizer.fits(body) };

export interface Outcome {
  reply: Reply;
  milliseconds: number;
}

export async function timed(request: () => Promise<Reply>): Promise<Outcome> {
  const start = performance.now();
  const reply = await request();
  return { reply, milliseconds: performance.now() - start };
}

/** What is wrong with the answer itself, whatever happened: a bare 500, no advice when to come back, a hang. */
export function complaintsAbout(what: string, { reply, milliseconds }: Outcome): string[] {
  return [
    ...(reply.status >= 500 && reply.status !== 503 ? [`${what}: ${reply.status} ${reply.text}`] : []),
    ...(reply.status === 503 && !/^[1-9]\d*$/.test(reply.headers['Retry-After'] ?? '')
      ? [`${what}: 503 without Retry-After`]
      : []),
    ...(reply.status === 503 && reply.body?.status !== 'UNAVAILABLE' ? [`${what}: 503 says ${reply.text}`] : []),
    ...(milliseconds > GATEWAY_MS ? [`${what}: answered after ${Math.round(milliseconds)} ms`] : []),
  ];
}

export interface Judgement {
  complaints: string[];
  /** Which requests were answered with 503, and why. */
  unavailable: string[];
  slowestMs: number;
}

/** Two for each instance of the functions, whose client has a quota of repetitions and 50 connections. */
const AT_ONCE = 40;

/** In groups of this size. */
async function inTurns<T, R>(all: readonly T[], size: number, work: (item: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let next = 0; next < all.length; next += size)
    results.push(...(await Promise.all(all.slice(next, next + size).map(async (item) => work(item)))));
  return results;
}

/**
 * Makes all the requests, many at once, while the rules hold, then the ones that were unavailable again without them, and says
 * everything that is wrong: with the answers, with what took effect, and with the table.
 */
export async function judge(
  inventory: FaultyInventory,
  prepared: readonly RequestCase[],
  rules: readonly Rule[],
): Promise<Judgement> {
  const { proxy, table, request, logged } = inventory;
  const complaints: string[] = [];
  const before = await scan(table);
  proxy.disturb(...rules);
  const outcomes = await inTurns(prepared, AT_ONCE, ({ method, path, call }) =>
    timed(() => request(method, path, call)),
  );
  proxy.disturb();
  await proxy.idle();

  const after = await scan(table);
  const unavailable: { of: RequestCase; tookEffect: boolean; why: string }[] = [];
  const whyOf = (reply: Reply) =>
    logged.find((entry) => entry['request_id'] === reply.body.request_id && entry['cause'] !== undefined)?.['cause'];
  for (const [index, outcome] of outcomes.entries()) {
    const of = prepared[index]!;
    const { reply } = outcome;
    complaints.push(...complaintsAbout(of.what, outcome));
    const effects = of.effects(after, before);
    const isWrite = of.effects !== none;
    if (reply.status === 503 || reply.status === 500) {
      unavailable.push({ of, tookEffect: effects > 0, why: String(whyOf(reply)) });
      if (effects > 1) complaints.push(`${of.what}: took effect ${effects} times`);
    } else if (reply.status !== of.status) complaints.push(`${of.what}: ${reply.status} ${reply.text}`);
    else if (of.shows?.every((text) => reply.text.includes(text)) === false)
      complaints.push(`${of.what}: something is missing from ${reply.text}`);
    else if (isWrite && effects !== 1 && !(effects === 0 && of.leaves?.(reply) === true))
      complaints.push(`${of.what}: ${reply.status}, and took effect ${effects} times`);
  }
  complaints.push(...(await checkInvariants(table)));

  for (const { of, tookEffect } of unavailable) {
    let { status, text } = await request(of.method, of.path, of.call);
    for (let attempt = 1; status === 503 && computesSummary(of.what) && attempt < SUMMARY_ATTEMPTS; attempt += 1)
      ({ status, text } = await request(of.method, of.path, of.call));
    const wanted = tookEffect ? of.again : of.status;
    if (status !== wanted) complaints.push(`${of.what}, again: ${status} ${text} instead of ${wanted}`);
  }
  complaints.push(...(await checkInvariants(table)));
  return {
    complaints,
    unavailable: unavailable.map(({ of, why }) => `${of.what}: ${why}`),
    slowestMs: Math.max(...outcomes.map(({ milliseconds }) => milliseconds)),
  };
}

/** Number of parallel preparations: all at once, for several scenarios, would cause load that is no fault. */
const PREPARED_AT_ONCE = 8;

/** Computes a summary, which has the groups, too, with many calls in turn, and waits for another request that does. */
export const computesSummary = (what: string) => /^(?:getSummary|getMetrics|countGroups)\b/.test(what);

/** The lease of a request for a summary ends after 30 s, and each of these waits for it for 10 s. */
const SUMMARY_ATTEMPTS = 4;

/** A request or more to every endpoint. */
export function prepareAll(inventory: FaultyInventory): Promise<RequestCase[]> {
  return inTurns(preparations, PREPARED_AT_ONCE, (prepare) => prepare(inventory));
}

/** What does not work, of all the endpoints, when nothing makes trouble. */
export async function everyEndpointWorks(inventory: FaultyInventory): Promise<string[]> {
  return (await judge(inventory, await prepareAll(inventory), [])).complaints;
}
