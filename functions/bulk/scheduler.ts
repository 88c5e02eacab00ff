/** A task. It takes effect after all earlier tasks that share a conflict key with it. */
export interface Task<T> {
  /** `everything`: the task waits for all earlier tasks, and all later tasks wait for it. */
  conflictKeys: readonly string[] | 'everything';
  run: () => Promise<T>;
}

/** A semaphore for `size` tasks; `enter` resolves when one is free. */
function room(size: number) {
  let free = size;
  const waiting: (() => void)[] = [];
  return {
    enter: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave: () => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}

/** Runs all tasks with the results of a serial execution; tasks without a common conflict key run in parallel. */
export function runInOrder<T>(tasks: readonly Task<T>[], atOnce: number): Promise<T[]> {
  const { enter, leave } = room(atOnce);
  const lastOf = new Map<string, Promise<unknown>>();
  let barrier: Promise<unknown> = Promise.resolve();
  let sinceBarrier: Promise<unknown>[] = [];
  return Promise.all(
    tasks.map(({ conflictKeys, run }) => {
      const before =
        conflictKeys === 'everything'
          ? [barrier, ...sinceBarrier]
          : [barrier, ...conflictKeys.flatMap((name) => lastOf.get(name) ?? [])];
      const done = Promise.all(before).then(async () => {
        // Enters only after all tasks that it depends on: a task that waited inside would occupy a place.
        await enter();
        return run().finally(leave);
      });
      if (conflictKeys === 'everything') {
        barrier = done;
        sinceBarrier = [];
        lastOf.clear();
      } else {
        sinceBarrier.push(done);
        for (const name of conflictKeys) lastOf.set(name, done);
      }
      return done;
    }),
  );
}
