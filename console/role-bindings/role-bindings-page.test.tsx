import { cellsOf, goTo, rowsOf, screen, textOf, user, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const site = openSite();

const bind = (name: string, fields: object = {}) =>
  site.write('POST', '/v1/role-bindings', {
    ...{ name, provider: 'github', claims: { repository_id: ['74129'], environment: ['production'] } },
    ...{ role: 'Editor', owners: ['shop'], ...fields },
  });

const getBinding = async (name: string) => (await site.api('GET', `/v1/role-bindings/${name}`)).body;

const dialog = (name: string) => within(screen.getByRole('dialog', { name }));

test('a change clears what it leaves out, and is refused after the change of another Admin', async () => {
  await bind('changing', { description: 'Before' });
  await site.at('configuration/role-bindings');
  const open = async () => {
    await user.click(screen.getByRole('button', { name: 'Actions on changing' }));
    await user.click(screen.getByRole('menuitem', { name: 'Change' }));
    return dialog('Change role binding');
  };
  const early = await open();
  await user.clear(early.getByRole('textbox', { name: /^Purpose/ }));
  await user.click(early.getByRole('button', { name: /^Role/ }));
  await user.click(screen.getByRole('option', { name: /^Admin/ }));
  await user.click(early.getByRole('button', { name: 'Change' }));
  expect(textOf()).toContain('The role binding changing was changed.');
  const changed = await getBinding('changing');
  expect(changed).toMatchObject({ role: 'Admin', revision: 2 });
  expect(Object.keys(changed)).not.toContain('owners');
  expect(Object.keys(changed)).not.toContain('description');

  // The next change is of the revision that the list has.
  expect(screen.getByRole('row', { name: /changing.*Admin/ })).toBeDefined();
  const late = await open();
  await site.write('PATCH', '/v1/role-bindings/changing', { role: 'Viewer' });
  await user.type(late.getByRole('textbox', { name: /^Purpose/ }), 'Too late');
  await user.click(late.getByRole('button', { name: 'Change' }));
  expect(textOf()).toContain('The role binding could not be changed');
  expect(await getBinding('changing')).toMatchObject({ role: 'Viewer', revision: 3 });
});

test('the preview names the role, its owners and bindings, and the claims that others miss', async () => {
  await bind('shop-deployments');
  await bind('releases', {
    claims: { repository_id: ['74129'], ref: ['refs/tags/v1'] },
    role: 'Admin',
    owners: undefined,
  });
  await bind('readers', { claims: { repository_owner_id: ['65'] }, role: 'Viewer', owners: undefined });
  await site.at('configuration/role-bindings');
  await user.click(screen.getByRole('button', { name: 'Preview a role' }));
  const window = dialog('Preview a role');
  await user.type(window.getByRole('combobox', { name: /^Identity provider/ }), 'github');
  await user.keyboard('{Escape}');
  const claims = window.getByRole('textbox', { name: /^Claims of the identity/ });
  const preview = () => user.click(window.getByRole('button', { name: 'Preview' }));
  await user.type(claims, 'eyJhbGciOiJIUzI1NiJ9');
  await preview();
  expect(textOf()).toContain('Must be a JSON object');
  await user.click(window.getByRole('button', { name: /^Example/ }));
  await user.click(screen.getByRole('option', { name: 'GitHub Actions' }));
  expect(textOf(window.getByRole('button', { name: /^Example/ }))).toContain('GitHub Actions');
  expect(claims).toHaveProperty('value', expect.stringMatching(/^\{\n {2}"sub": /));
  await preview();
  for (const text of [
    'Role Editor, only shop',
    'shop-deployments matches and gives the role Editor.',
    'readers matches, but its role Viewer is weaker.',
    'releases does not match: the claims lack ref, or have other values.',
  ])
    expect(textOf()).toContain(text);
  expect(window.getByRole('img', { name: 'Success' })).toBeDefined();
  await user.clear(claims);
  await user.click(claims);
  await user.paste('{"repository_id": "74130"}');
  expect(textOf()).not.toContain('Role Editor, only shop');
  await preview();
  expect(textOf()).toContain('No access');
  expect(window.getByRole('img', { name: 'Warning' })).toBeDefined();
});

const type = (field: HTMLElement, text: string) => user.click(field).then(() => user.paste(text));

/** The dialog that adds a binding, with a name and a provider. */
async function beginBinding(name: string) {
  await site.at('configuration/role-bindings');
  await user.click(screen.getAllByRole('button', { name: 'Add role binding' })[0]!);
  const add = dialog('Add role binding');
  await type(add.getByRole('textbox', { name: /^Name/ }), name);
  await type(add.getByRole('combobox', { name: /^Identity provider/ }), 'github');
  await user.keyboard('{Escape}');
  return add;
}

test('a binding is added and removed, and the list says so', async () => {
  const add = await beginBinding('added');
  await user.click(add.getByRole('button', { name: 'Add' }));
  // It has no claims yet.
  expect(textOf(screen.getByRole('dialog'))).toContain('Anybody can get a token of');
  expect(await getBinding('added')).toMatchObject({ status: 'NOT_FOUND' });
  const [claim, value] = add.getAllByRole('textbox', { name: /claim|value/i });
  await type(claim!, 'repository_id');
  await type(value!, '1');
  await user.click(add.getByRole('button', { name: 'Add' }));
  expect(textOf()).toContain('The role binding added was added.');
  expect(await getBinding('added')).toMatchObject({ provider: 'github', claims: { repository_id: ['1'] } });
  await user.click(screen.getByRole('button', { name: 'Actions on added' }));
  await user.click(screen.getByRole('menuitem', { name: 'Remove' }));
  await user.click(dialog('Remove role binding').getByRole('button', { name: 'Remove' }));
  expect(textOf()).toContain('The role binding added was removed.');
  expect(screen.queryByRole('button', { name: 'Actions on added' })).toBeNull();
  expect(await getBinding('added')).toMatchObject({ status: 'NOT_FOUND' });
});

test('an Editor reads that role bindings require the role Admin', async () => {
  await site.at('configuration/role-bindings', { key: site.inventory.keys.Editor });
  expect(textOf()).toContain('This requires the role Admin');
});

test('the path of role bindings begins with the configuration', async () => {
  await site.at('configuration/role-bindings');
  const path = screen.getByRole('navigation', { name: 'Breadcrumbs' });
  expect(textOf(path)).toMatch(/^Configuration.*Role bindings/);
});

test('the list shows the claims with their values, the provider, the rights and the purpose of each binding', async () => {
  await bind('listed', {
    claims: { repository_id: ['74129', '74130'], environment: ['staging'] },
    description: 'Deploys the shop',
  });
  await site.at('configuration/role-bindings');
  const shown = textOf(screen.getByRole('row', { name: /^listed/ }));
  for (const text of [
    'Deploys the shop',
    'github',
    'Editor',
    'shop',
    'repository_id: 74129 or 74130',
    'environment: staging',
  ])
    expect(shown).toContain(text);
});

test('a change keeps the fields that the user does not touch', async () => {
  const registrar = { role: 'Registrar', owners: ['dba'], node_name_claim: 'host', description: 'Hosts of the shop' };
  await bind('kept', registrar);
  await site.at('configuration/role-bindings');
  await user.click(screen.getByRole('button', { name: 'Actions on kept' }));
  await user.click(screen.getByRole('menuitem', { name: 'Change' }));
  const change = dialog('Change role binding');
  expect(textOf()).toContain('kept binds identities of the provider github.');
  expect(change.getByText('A log-in returns an enrolment token for one host.')).toBeDefined();
  await user.type(change.getByRole('textbox', { name: /^Purpose/ }), ', all');
  await user.click(change.getByRole('button', { name: 'Change' }));
  expect(await getBinding('kept')).toMatchObject({
    ...registrar,
    description: 'Hosts of the shop, all',
    claims: { repository_id: ['74129'], environment: ['production'] },
  });
});

test('the preview says when no claim matches, and when no binding is for the provider', async () => {
  await bind('only-production');
  await site.at('configuration/role-bindings');
  await user.click(screen.getByRole('button', { name: 'Preview a role' }));
  const window = dialog('Preview a role');
  const provider = window.getByRole<HTMLInputElement>('combobox', { name: /^Identity provider/ });
  await user.type(provider, 'github');
  await user.keyboard('{Escape}');
  await user.click(window.getByRole('textbox', { name: /^Claims of the identity/ }));
  await user.paste('{"repository_id": "74129", "environment": "test"}');
  await user.click(window.getByRole('button', { name: 'Preview' }));
  expect(textOf()).toContain('only-production does not match: the claims lack environment, or have other values.');
  await user.clear(provider);
  await user.type(provider, 'gitlab');
  await user.keyboard('{Escape}');
  await user.click(window.getByRole('button', { name: 'Preview' }));
  expect(textOf()).toContain('No role binding is for the provider gitlab.');
});

test('the preview takes claims from nothing but a JSON object', async () => {
  await site.at('configuration/role-bindings');
  await user.click(screen.getByRole('button', { name: 'Preview a role' }));
  const window = dialog('Preview a role');
  await user.type(window.getByRole('combobox', { name: /^Identity provider/ }), 'github');
  await user.keyboard('{Escape}');
  const claims = window.getByRole('textbox', { name: /^Claims of the identity/ });
  await user.click(window.getByRole('button', { name: 'Preview' }));
  const refused: string[] = [];
  for (const text of ['{}', '[1]', '"text"', '7', 'null', '{"sub": "x"}']) {
    await user.clear(claims);
    await user.click(claims);
    await user.paste(text);
    if (textOf(screen.getByRole('dialog')).includes('Must be a JSON object')) refused.push(text);
  }
  expect(refused).toEqual(['[1]', '"text"', '7', 'null']);
});

test('the preview has a binding that does not match although its claims are there', async () => {
  const bindings = [{ binding_id: 'odd', role: 'Viewer', matched: false, missing_claims: [] }];
  await site.at('configuration/role-bindings', {
    before: (network) => void network.answer('POST /v1/role-bindings/preview', () => ({ bindings })),
  });
  await user.click(screen.getByRole('button', { name: 'Preview a role' }));
  const window = dialog('Preview a role');
  await user.type(window.getByRole('combobox', { name: /^Identity provider/ }), 'github');
  await user.keyboard('{Escape}');
  await user.click(window.getByRole('textbox', { name: /^Claims of the identity/ }));
  await user.paste('{}');
  await user.click(window.getByRole('button', { name: 'Preview' }));
  expect(textOf(screen.getByRole('dialog'))).toContain('odd does not match.');
});

test('a claim that is removed from the form is not sent', async () => {
  const add = await beginBinding('fewer-claims');
  await user.click(add.getByRole('button', { name: 'Add claim' }));
  const [ref, main, repository, id] = add.getAllByRole('textbox', { name: /claim|value/i });
  await type(ref!, 'ref');
  await type(main!, 'main');
  await type(repository!, 'repository_id');
  await type(id!, '1');
  await user.click(add.getByRole('button', { name: 'Remove the claim ref main' }));
  await user.click(add.getByRole('button', { name: 'Add' }));
  expect((await getBinding('fewer-claims')).claims).toEqual({ repository_id: ['1'] });
});

test('the form of a binding has the fields of its role', async () => {
  await site.at('configuration/role-bindings');
  await user.click(screen.getAllByRole('button', { name: 'Add role binding' })[0]!);
  const add = dialog('Add role binding');
  /** What the form asks for about owners and the node, with this role. */
  const fieldsWith = async (role: string) => {
    await user.click(add.getByRole('button', { name: /^Role/ }));
    await user.click(screen.getByRole('option', { name: new RegExp(`^${role}`) }));
    const text = textOf(screen.getByRole('dialog'));
    const parts = [
      ...['Owners - optional', 'Owner - optional', 'The owner of the host.', 'to the objects of these owners.'],
      'Claim with the node name',
    ];
    return parts.filter((part) => text.includes(part));
  };
  const ofPeople = ['Owners - optional', 'to the objects of these owners.'];
  expect(await fieldsWith('Editor')).toEqual(ofPeople);
  expect(await fieldsWith('Admin')).toEqual([]);
  expect(await fieldsWith('Registrar')).toEqual([
    ...['Owner - optional', 'The owner of the host.', 'Claim with the node name'],
  ]);
  expect(await fieldsWith('Viewer')).toEqual(ofPeople);
});

test('the list names every identity for a binding without claims', async () => {
  const network = await site.at('overview');
  await bind('claimed');
  const { role_bindings: bindings } = (await site.api('GET', '/v1/role-bindings')).body;
  const open = { ...bindings.find(({ name }: { name: string }) => name === 'claimed'), claims: {} };
  network.answer('GET /v1/role-bindings', () => ({ role_bindings: [open] }));
  await goTo('configuration/role-bindings');
  expect(cellsOf(rowsOf('Role bindings')).map((cells) => cells[3])).toEqual(['Every identity']);
});

test('the form of a binding suggests the providers of people and those of bindings', async () => {
  await bind('suggesting');
  const methods = [
    { method: 'password', title: 'Password' },
    { method: 'oidc', provider: 'company', title: 'Company', client_id: 'console', scope: 'openid', redirect_uris: [] },
  ];
  await site.at('configuration/role-bindings', {
    before: (network) => void network.answer('GET /v1/logins', () => ({ methods })),
  });
  await user.click(screen.getAllByRole('button', { name: 'Add role binding' })[0]!);
  await user.click(dialog('Add role binding').getByRole('combobox', { name: /^Identity provider/ }));
  expect(screen.getAllByRole('option').map((option) => textOf(option))).toEqual(['company', 'github']);
});
