import { browser } from '../../testing/browser.tsx';
import { addFleetTo } from '../../testing/fleet.tsx';
import { screen, user } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

beforeAll(async () => {
  await addFleetTo(site);
});

const press = (name: string) => user.click(screen.getByRole('button', { name }));

test('CSV and JSON contain the whole filtered list, not only the page', async () => {
  await site.at('services?environment=production');
  const fileOf = async (format: string) => {
    await press('Download');
    await user.click(screen.getByRole('menuitem', { name: format }));
    return browser.takeDownloads()[0]!.text();
  };
  const { body } = await site.api('GET', '/v1/services?environment=production&page_size=1000');
  const wanted = body.services.length as number;
  const csv = await fileOf('CSV');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(wanted + 1);
  expect(csv.split('\r\n')[0]!.split(',')).toEqual(expect.arrayContaining(['service_name', 'cluster', 'state']));
  const text = await fileOf('JSON');
  const json = JSON.parse(text) as { environment: string }[];
  expect(text).toBe(`${JSON.stringify(json, null, 2)}\n`);
  expect(json.map(({ environment }) => environment)).toEqual(Array(wanted).fill('production'));
});
