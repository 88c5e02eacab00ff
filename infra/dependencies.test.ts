import { synthesise, type Template } from './synthesis/synthesise.ts';

/** The ids of resources that a part of the template refers to, with `Ref`, `Fn::GetAtt` and `Fn::Sub`. */
function referredTo(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]): string[] => {
    if (key === 'Ref' && typeof value === 'string') return [value];
    if (key === 'Fn::GetAtt' && Array.isArray(value)) return [String(value[0])];
    const text = key === 'Fn::Sub' ? String(Array.isArray(value) ? value[0] : value) : '';
    return [...text.matchAll(/\$\{(\w+)/g)].map(([, id = '']) => id).concat(referredTo(value));
  });
}

/** A resource that depends on itself, through others; undefined if there is none. */
function cycleIn({ Resources }: Template): string | undefined {
  const needs = (id: string) => {
    const { DependsOn = [], Properties } = Resources[id]!;
    return [...DependsOn, ...referredTo(Properties)].filter((other) => Object.hasOwn(Resources, other));
  };
  const finished = new Set<string>();
  const visit = (id: string, path: readonly string[]): string | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id].join(' > ');
    if (finished.has(id)) return undefined;
    for (const other of needs(id)) {
      const cycle = visit(other, [...path, id]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(id);
    return undefined;
  };
  for (const id of Object.keys(Resources)) {
    const cycle = visit(id, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

test.each([
  ['the defaults', {}],
  [
    'a key of the customer, events, states and warm functions',
    { customerManagedKey: true, changeEvents: true, stateEvents: true, provisionedConcurrency: 1 },
  ],
  ['no CloudFront', { cdn: false }],
])('no resource depends on itself with %s, which CloudFormation would refuse', (_, settings) => {
  expect(cycleIn(synthesise(settings))).toBeUndefined();
});

test('a cycle is found', () => {
  const resource = (more: object) => ({ Type: 'T', Properties: {}, ...more });
  const Resources = {
    A: resource({ DependsOn: ['B'] }),
    B: resource({ Properties: { x: [{ 'Fn::Sub': '${A.Arn}' }] } }),
  };
  expect(cycleIn({ Resources, Outputs: {} })).toBe('A > B > A');
});
