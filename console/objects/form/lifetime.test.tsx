import { goTo, screen, textOf, user } from '../../testing/page.tsx';
import { openSite } from '../../testing/site.tsx';

const site = openSite();

const fill = async (label: string | RegExp, text: string) => {
  const field = screen.getByLabelText(label);
  await user.clear(field);
  await user.click(field);
  await user.paste(text);
};

const press = (name: string | RegExp) => user.click(screen.getByRole('button', { name, hidden: true }));

const facts = () => [...document.querySelectorAll('dd:not(.differences dd)')].map(textOf);

test("a node's lifetime is set at its add and changed, and invalid timers have a message", async () => {
  await site.at('nodes/add?node_type=generic');
  await press(/More options/);
  await fill('Name', 'host-brief');
  await fill('Address', '10.0.0.1');
  await user.click(screen.getByLabelText(/^Lifetime/));
  await user.click(screen.getByRole('option', { name: 'ephemeral' }));
  await fill(/^Stale after/, 'soon');
  await press('Add node');
  expect(textOf()).toMatch(/Must be [^.]*, from 10s to 365d\./);
  await fill(/^Stale after/, '1h');
  expect(textOf()).toContain('offline_after must be longer than stale_after.');
  await fill(/^Offline after/, '2h');
  await fill(/^Remove after/, '3h');
  await press('Add node');
  expect(textOf()).toContain('The node host-brief was added.');
  for (const fact of ['ephemeral', '1h', '2h', '3h']) expect(facts()).toContain(fact);
  expect(facts()).toContainEqual(expect.stringMatching(/^Never seen/));

  const [{ node_id: id }] = (await site.api('GET', '/v1/nodes?name_prefix=host-brief')).body.nodes;
  await goTo(`nodes/${id}/change`);
  await press(/More options/);
  await fill(/^Remove after/, '4h');
  await press('Save changes');
  expect(textOf()).toContain('The node host-brief was changed.');
  expect(facts()).toContain('4h');
});
