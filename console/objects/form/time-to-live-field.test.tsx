import { Network } from '../../testing/network.tsx';
import { closePage, screen, show, textOf, user } from '../../testing/page.tsx';
import { TimeToLiveField } from './time-to-live-field.tsx';

afterEach(closePage);

type Props = Parameters<typeof TimeToLiveField>[0];

async function shown(props: Pick<Props, 'of' | 'value'>): Promise<string[]> {
  const changes: string[] = [];
  await show(<TimeToLiveField {...props} error={undefined} onChange={(value) => changes.push(value)} />, {
    network: new Network(() => Promise.reject(new Error('no server'))),
  });
  return changes;
}

test.each<[Props['of'], string, RegExp | string]>([
  ['hostKey', '90d', /^Counts from the enrolment\.$/],
  ['token', '', 'Expires after one hour.'],
  ['silence', '8h', /^Until /],
  ['key', '90d', /2026/],
  ['key', 'soon', /^$/],
])('the meaning of a time to live of a %s, %j', async (of, value, meaning) => {
  await shown({ of, value });
  expect(textOf(screen.getByRole('status'))).toMatch(meaning);
  expect(screen.getByRole('textbox').getAttribute('aria-invalid') === 'true').toBe(value === 'soon');
});

test('a usual value is chosen with one click', async () => {
  const changes = await shown({ of: 'silence', value: ' 8h ' });
  expect(screen.getByRole('button', { name: '8 hours' }).getAttribute('aria-pressed')).toBe('true');
  await user.click(screen.getByRole('button', { name: '1 day' }));
  expect(changes).toEqual(['1d']);
});
