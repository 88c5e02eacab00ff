import { meantBy } from './meant-by.ts';

const id = '6f1f0d5e-3a51-4c38-9a5e-0f64d6a3a001';
const callers = [
  { id, name: 'terraform-prod' },
  { id: 'k2', name: 'old-mysql' },
  { id: 'k3', name: 'old-mongo' },
  { id: 'k4', name: 'old' },
  { id: 'admin', name: 'admin' },
];

test.each([
  [id, id],
  ['Terraform-PROD', id],
  ['terr', id],
  ['FORM', id],
  ['old', 'k4'],
  ['old-m', undefined],
  ['old-my', 'k2'],
  ['admin', 'admin'],
  ['nobody', undefined],
  ['6f1f0d5e-3a51-4c38-9a5e-0f64d6a3a999', '6f1f0d5e-3a51-4c38-9a5e-0f64d6a3a999'],
])('%j is the caller %j', (text, expected) => {
  const match = meantBy(text, callers, 'caller');
  expect('id' in match ? match.id : undefined).toBe(expected);
});

test('an ambiguous or unknown text is refused with the names', () => {
  expect(meantBy('old-m', callers, 'caller')).toEqual({
    problem: 'Several callers have "old-m" in their names: old-mysql, old-mongo. Choose one of them.',
  });
  expect(meantBy('nobody', callers, 'object')).toEqual({
    problem: 'No known object has "nobody" in its name. Enter a name or an id.',
  });
});

test('a refusal names five candidates, and counts the others', () => {
  const problemOf = (count: number) => {
    const alike = Array.from({ length: count }, (_, index) => ({ id: `k${index}`, name: `job-${index}` }));
    return meantBy('job', alike, 'caller');
  };
  const five = 'Several callers have "job" in their names: job-0, job-1, job-2, job-3, job-4';
  expect(problemOf(5)).toEqual({ problem: `${five}. Choose one of them.` });
  expect(problemOf(6)).toEqual({ problem: `${five} and 1 more. Choose one of them.` });
});
