import { goTo, pass, screen, textOf, user, within } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

const address = () => screen.getByLabelText('Address');

const button = (name: string) => screen.getByRole('button', { name, hidden: true });

const title = () => document.querySelector('main h1')?.textContent;

const menuLink = (name: string) =>
  [...document.querySelectorAll('nav a')].find(({ textContent }) => textContent === name)!;

async function fill(field: HTMLElement, text: string) {
  await user.clear(field);
  await user.type(field, text);
}

const leaveDialog = () => screen.queryByRole('dialog', { name: 'Leave this page?' });

async function answer(name: 'Stay' | 'Leave') {
  await user.click(within(leaveDialog()!).getByRole('button', { name }));
  expect(leaveDialog()).toBeNull();
}

test("labels that another user changed stay beside one's own changes", async () => {
  const labels = { mine: '1', theirs: '1', both: '1', removed: '1' };
  const { node_id: id } = await site.addNode('labelled', { address: '10.1.0.1', custom_labels: labels });
  await site.at(`nodes/${id}/change`);
  // The rows have the order of the labels.
  const values = Object.keys(labels).map((label) => {
    let row: Element = screen.getByLabelText(`Remove the label ${label}`);
    while (row.querySelector('input') === null) row = row.parentElement!;
    return row.querySelectorAll('input')[1]!;
  });
  await fill(values[0]!, '2');
  await fill(values[2]!, '2');
  await site.write('PATCH', `/v1/nodes/${id}`, {
    custom_labels: { theirs: '3', both: '3', removed: null, added: '3' },
  });
  await user.click(button('Save changes'));
  expect(textOf()).toContain('This node was changed by another user');
  expect(textOf()).toContain('You also changed these fields; your values are kept: Label both.');
  await user.click(button('Save changes'));
  expect(textOf()).toContain('The node labelled was changed.');
  expect((await site.api('GET', `/v1/nodes/${id}`)).body.custom_labels).toEqual({
    ...{ mine: '2', theirs: '3', both: '2', added: '3' },
  });
});

test('a conflict with a change that was taken back says that no field differs', async () => {
  const { node_id: id } = await site.addNode('restored', { address: '10.1.0.7' });
  await site.at(`nodes/${id}/change`);
  await fill(address(), '10.1.0.8');
  for (const theirs of ['10.1.0.9', '10.1.0.7']) await site.write('PATCH', `/v1/nodes/${id}`, { address: theirs });
  await user.click(button('Save changes'));
  expect(textOf()).toContain('None of the fields below differ. The form contains your changes and theirs.');
  await user.click(button('Save changes'));
  expect((await site.api('GET', `/v1/nodes/${id}`)).body.address).toBe('10.1.0.8');
});

test('leaving a changed form asks, by a link and by Cancel, and an unchanged or saved one does not', async () => {
  const { node_id: id } = await site.addNode('kept', { address: '10.1.0.2' });
  await site.at(`nodes/${id}/change`);
  expect(title()).toBe('Change kept');
  await fill(address(), '10.1.0.3');
  await user.click(menuLink('Services'));
  await answer('Stay');
  await user.click(button('Cancel'));
  await answer('Stay');
  expect(address()).toHaveProperty('value', '10.1.0.3');
  await user.click(menuLink('Services'));
  await answer('Leave');
  expect(title()).toMatch(/^Services/);

  await goTo(`nodes/${id}/change`);
  await user.click(menuLink('Agents'));
  expect(title()).toMatch(/^Agents/);
  await goTo(`nodes/${id}/change`);
  await fill(address(), '10.1.0.4');
  await user.click(button('Save changes'));
  expect(textOf()).toContain('The node kept was changed.');
  await user.click(menuLink('Services'));
  expect(title()).toMatch(/^Services/);
});

test('a form that cannot reach the server reports that, and can be sent later', async () => {
  const { node_id: id } = await site.addNode('unsaved', { address: '10.1.0.5' });
  const network = await site.at(`nodes/${id}/change`);
  await fill(address(), '10.1.0.6');
  network.isOnline = false;
  await user.click(button('Save changes'));
  expect(textOf()).toContain('The server did not answer');
  expect(screen.getAllByText('The server cannot be reached').length).toBeGreaterThan(0);
  expect(textOf()).not.toContain('refused');
  network.isOnline = true;
  await pass(5000);
  expect(screen.queryAllByText('The server cannot be reached')).toEqual([]);
  await user.click(button('Save changes'));
  expect(textOf()).toContain('The node unsaved was changed.');
});
