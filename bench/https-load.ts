import { Agent, request as httpsRequest } from 'node:https';
import type { Size } from './size.ts';
import { median } from './statistics.ts';

/** Requests that are sent in turns, again and again. */
export interface LoadTarget {
  urls: readonly URL[];
  headers: Record<string, string>;
}

function get(url: URL, headers: LoadTarget['headers'], agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url.pathname}: status ${response.statusCode ?? 'none'}`));
      response.on('error', reject);
      response.resume().on('end', () => resolve());
    });
    request.on('error', reject).end();
  });
}

/** Requests per second over this many connections, each with one request at a time. */
async function requestsPerSecond(
  { urls, headers }: LoadTarget,
  agent: Agent,
  connections: number,
  seconds: number,
): Promise<number> {
  let [sent, answered] = [0, 0];
  const start = performance.now();
  const end = start + seconds * 1000;
  const client = async () => {
    for (let url; performance.now() < end && (url = urls[sent % urls.length]) !== undefined;) {
      sent += 1;
      await get(url, headers, agent);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return answered / ((performance.now() - start) / 1000);
}

/** Requests per second of two servers, medians of all rounds. */
export interface ComparedRates {
  first: number;
  second: number;
  /** The rates of the first server over those of the second in the same round. */
  ratios: readonly number[];
}

/** Measures two servers in turns, after a round that warms them up. */
export async function compareRates(
  { first, second }: { first: LoadTarget; second: LoadTarget },
  connections: number,
  { serverRounds, serverSeconds }: Pick<Size, 'serverRounds' | 'serverSeconds'>,
): Promise<ComparedRates> {
  const newAgent = () => new Agent({ keepAlive: true, maxSockets: connections, rejectUnauthorized: false });
  const [firstAgent, secondAgent] = [newAgent(), newAgent()];
  const rates: { first: number; second: number }[] = [];
  try {
    for (let round = -1; round < serverRounds; round += 1) {
      const rate = {
        first: await requestsPerSecond(first, firstAgent, connections, serverSeconds),
        second: await requestsPerSecond(second, secondAgent, connections, serverSeconds),
      };
      if (round >= 0) rates.push(rate);
    }
  } finally {
    firstAgent.destroy();
    secondAgent.destroy();
  }
  return {
    first: median(rates.map((rate) => rate.first)),
    second: median(rates.map((rate) => rate.second)),
    ratios: rates.map((rate) => rate.first / rate.second),
  };
}
