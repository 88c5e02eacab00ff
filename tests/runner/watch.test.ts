import { type Sample, watchFile } from './watch.ts';

/** The second at which a file is ended that has these samples, and why. */
function ended(
  usualSeconds: number,
  at: (second: number) => Partial<Sample>,
): { second: number; why: string } | undefined {
  const look = watchFile({ usualSeconds, idleSeconds: 60 });
  for (let second = 1; second <= 10_000; second += 1) {
    const why = look({ processorSeconds: 0, load: 1, wallSeconds: second, ...at(second) });
    if (why !== undefined) return { second, why };
  }
  return undefined;
}

test('a file that waits is ended after 60 s without processor time', () => {
  const waiting = ended(100, (second) => ({ processorSeconds: Math.min(second, 20) }));
  expect(waiting).toEqual({ second: 80, why: 'used no processor time for 60 s' });
});

test('the little work of a waiting runtime does not keep a file', () => {
  expect(ended(100, (second) => ({ processorSeconds: second / 1000 }))?.second).toBe(60);
});

test('a file that works on a busy machine is not ended', () => {
  // 40 processes share two processors.
  const look = watchFile({ usualSeconds: 10, idleSeconds: 60 });
  for (let second = 1; second <= 1900; second += 1)
    expect(look({ wallSeconds: second, processorSeconds: second / 20, load: 20 })).toBeUndefined();
});

test('a file that works endlessly is ended after ten times its usual time', () => {
  expect(ended(10, (second) => ({ processorSeconds: second }))).toEqual({
    second: 101,
    why: 'took more than ten times its usual 10 s',
  });
});

test('time counts less where processes share the processors', () => {
  expect(ended(10, (second) => ({ processorSeconds: second, load: 4 }))?.second).toBe(401);
});

test('where the system has no processor time, only the usual time counts', () => {
  expect(ended(10, () => ({ processorSeconds: undefined }))?.second).toBe(101);
});

test("the sleep of a machine does not count as a file's time", () => {
  const look = watchFile({ usualSeconds: 10, idleSeconds: 60 });
  look({ wallSeconds: 1, processorSeconds: 1, load: 1 });
  expect(look({ wallSeconds: 5000, processorSeconds: 2, load: 1 })).toBeUndefined();
});
