import { pageTime, screen, textOf, user } from '../../testing/page.tsx';
import { useSilences } from '../../testing/silences.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

const { silences, dialog, fillIn } = useSilences(site);

test('a silence of a cluster includes the nodes that run nothing else, unless the user leaves them out', async () => {
  const { node_id: ownNodeId } = await site.addNode('host-own', { address: '10.3.0.1' });
  const { node_id: shared } = await site.addNode('host-shared', { address: '10.3.0.2' });
  const add = (name: string, port: number, more: object) =>
    site.write('POST', '/v1/services', {
      service_type: 'mysql',
      service_name: name,
      address: '10.3.0.1',
      port,
      ...more,
    });
  await add('crm-1', 3306, { cluster: 'crm', node_ids: [ownNodeId, shared] });
  await add('other', 3307, { node_ids: [shared] });
  for (const withNodes of [true, false]) {
    await site.at('clusters/crm');
    await user.click(screen.getByRole('button', { name: 'Silence' }));
    const choice = dialog().getByRole('checkbox', { name: /^Also its node, which runs nothing else/ });
    if (!withNodes) await user.click(choice);
    await fillIn('Move');
    expect(textOf()).toContain('by admin: Move');
    const selectors = (await silences()).map(({ selector }: { selector: string }) => selector).toSorted();
    expect(selectors).toEqual(withNodes ? ['cluster=crm', `node_id=${ownNodeId}`] : ['cluster=crm']);
    for (const { silence_id: id } of await silences()) await site.api('DELETE', `/v1/silences/${id}`);
  }
});

test('the selected objects of a list are silenced by their ids', async () => {
  const names = ['bulk-1', 'bulk-2'];
  const ids: string[] = [];
  for (const [index, name] of names.entries())
    ids.push((await site.addNode(name, { address: `10.1.0.${index + 1}` })).node_id);
  await site.addNode('beside', { address: '10.1.0.9' });
  await site.at('nodes');
  for (const name of names) await user.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  await user.click(screen.getByRole('menuitem', { name: 'Silence' }));
  await fillIn('Disks');
  expect(textOf()).toContain('Silenced until');
  const [{ selector }] = await silences();
  const named = /^node_id in \((.+)\)$/.exec(selector)?.[1]?.split(',');
  expect(named?.toSorted()).toEqual(ids.toSorted());
});

test('the selector of an Editor with owners requires them; a Viewer sees the silence and cannot end it', async () => {
  const { node_id: id } = await site.addNode('host-of-team', { custom_labels: { team: 'shop' } });
  const team = { name: 'of a team', role: 'Editor', owners: ['shop', 'dba'] };
  await site.at(`nodes/${id}`, { key: (await site.write('POST', '/v1/api-keys', team)).key });
  await user.click(screen.getByRole('button', { name: 'Silence' }));
  await fillIn('Disk');
  expect(textOf()).toContain('by of a team: Disk');
  expect(await silences()).toMatchObject([{ selector: `node_id=${id},team in (shop,dba)` }]);
  await site.at(`nodes/${id}`, { key: site.inventory.keys.Viewer });
  expect(textOf()).toContain('by of a team: Disk');
  expect(screen.queryByRole('button', { name: /^(End s|S)ilence$/ })).toBeNull();
});

test('a silence ends at a chosen date and time, in the stated time zone, at most 30 days ahead', async () => {
  const { node_id: id } = await site.addNode('host-until', { address: '10.2.0.1' });
  await site.at(`nodes/${id}`);
  await user.click(screen.getByRole('button', { name: 'Silence' }));
  await user.click(dialog().getByRole('button', { name: 'Show as curl', hidden: true }));
  expect(textOf()).toContain('/v1/silences');
  expect(textOf()).not.toContain('Another request with their ids silences the nodes.');
  await user.click(dialog().getByRole('button', { name: 'At a date and time' }));
  const said = () => textOf(screen.getByRole('dialog', { name: 'Silence' }));
  expect(said()).toContain(`In the time zone ${new Intl.DateTimeFormat().resolvedOptions().timeZone}.`);
  const type = async (name: RegExp, text: string) => {
    const field = dialog().getByRole('textbox', { name });
    await user.clear(field);
    await user.type(field, text);
  };
  const fill = async (days: number) => {
    const day = new Date(pageTime() + days * 86_400_000);
    const end = new Date(day.getFullYear(), day.getMonth(), day.getDate(), 18, 30);
    const two = (number: number) => String(number).padStart(2, '0');
    await type(/^Ends(?!: time)/, `${end.getFullYear()}/${two(end.getMonth() + 1)}/${two(end.getDate())}`);
    await type(/^Ends: time of day/, '18:30');
    return end;
  };
  const error = 'Enter a time in the next 30 days.';
  await fill(-1);
  expect(said()).toContain(error);
  await fill(32);
  expect(said()).toContain(error);
  const end = await fill(3);
  expect(said()).not.toContain(error);
  await fillIn('Move of the rack');
  expect(textOf()).toContain('by admin: Move of the rack');
  const [{ until }] = await silences();
  expect(Math.abs(Date.parse(until) - end.getTime())).toBeLessThan(60_000);
});
