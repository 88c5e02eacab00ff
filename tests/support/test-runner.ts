import runner from 'jest-light-runner';
import Tinypool from 'tinypool';

/** How the pool and one of its worker processes exchange messages beside tasks and results. */
interface Channel {
  onMessage(send: (message: unknown) => void): void;
  postMessage(message: unknown): void;
}

/**
 * The channel of one worker. The runner has one channel for all: it answers every worker at once when the first one asks for
 * its settings. A worker that loads later then misses the answer, asks in vain and the run hangs.
 */
function channelOfOne(shared: Channel): Channel {
  let send: (message: unknown) => void;
  return {
    onMessage(listener) {
      send = listener;
    },
    postMessage(message) {
      shared.onMessage(send);
      shared.postMessage(message);
    },
  };
}

type Run = (this: Tinypool, ...args: Parameters<Tinypool['run']>) => ReturnType<Tinypool['run']>;

const run = Reflect.get(Tinypool.prototype, 'run') as Run;
Tinypool.prototype.run = function (task, options) {
  const channel = options?.channel as Channel | undefined;
  return run.call(this, task, channel === undefined ? options : { ...options, channel: channelOfOne(channel) });
};

/** The runner of all tests: jest-light-runner, with a channel for each worker. */
export default runner;
