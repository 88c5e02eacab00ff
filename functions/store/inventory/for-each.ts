/** Number of elements that are processed in parallel. */
const AT_ONCE = 8;

/** Calls `work` for each element, AT_ONCE in parallel, until one call returns `stop`. Resolves to whether one did. */
export async function forEach<T>(
  list: readonly T[],
  work: (element: T) => Promise<'go on' | 'stop'>,
): Promise<boolean> {
  const waiting = list.values();
  let isStopped = false;
  const turn = async () => {
    for (const element of waiting) {
      if (isStopped) return;
      if ((await work(element)) === 'stop') isStopped = true;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
  return isStopped;
}
