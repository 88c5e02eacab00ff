import { FRAME_MS } from '../testing/browser.tsx';
import { cellsOf, goTo, pageTime, pass, rowsOf, screen, textOf, user, within } from '../testing/page.tsx';
import { openSite } from '../testing/site.tsx';

const KEY = /^minv_[0-9A-Za-z]{43}_[0-9a-f]{8}$/;

const site = openSite();

// An inventory of the tests begins with a key for each role.
beforeEach(async () => {
  for (const { key_id: id } of await keys()) await site.api('DELETE', `/v1/api-keys/${id}`);
});
afterEach(() => {
  site.inventory.clock.now = undefined;
});

const keys = async () => (await site.api('GET', '/v1/api-keys')).body.api_keys;

const addKey = (fields: object) => site.write('POST', '/v1/api-keys', { role: 'Viewer', ...fields });

const statusOf = async (key: string) => (await site.api('GET', '/v1/caller', undefined, key)).status;

const dialog = (name: string) => within(screen.getByRole('dialog', { name }));

/** What stands in the row of the key; undefined without one. */
const cellsOfKey = (name: string) => cellsOf(rowsOf('API keys').filter((row) => textOf(row).includes(name)))[0];

async function choose(key: string, action: string) {
  await user.click(screen.getByRole('button', { name: `Actions on the key ${key}` }));
  await user.click(screen.getByRole('menuitem', { name: action }));
}

async function fill(field: HTMLElement, text: string) {
  await user.clear(field);
  if (text !== '') await user.type(field, text);
}

const codes = (place: HTMLElement) => [...place.querySelectorAll('code')].map(({ textContent }) => textContent);

test('a key is added with role and time to live, checked while typed, and a taken name is refused beside its field', async () => {
  await addKey({ name: 'taken' });
  await site.at('configuration/api-keys');
  await user.click(screen.getAllByRole('button', { name: 'Add API key' })[0]!);
  const adding = dialog('Add API key');
  expect(adding.getByLabelText(/^Role/).textContent).toContain('Viewer');
  const life = adding.getByLabelText('Time to live');
  expect(life).toHaveProperty('value', '90d');
  await user.click(adding.getByRole('button', { name: 'Never' }));
  expect(adding.getByText('Never expires.')).toBeDefined();
  await user.click(adding.getByRole('button', { name: '1 year' }));
  expect(life).toHaveProperty('value', '1y');
  await fill(life, '1.5d');
  expect(textOf(screen.getByRole('dialog'))).toContain('Must be a whole number and a unit');
  const name = adding.getByLabelText('Key name');
  // What is no duration is not sent, and nothing without a name.
  await user.type(name, 'first key');
  await user.click(adding.getByRole('button', { name: 'Add' }));
  await fill(name, '');
  await fill(life, '20d');
  const [, expiry = ''] = /Expires (.*?\d\d:\d\d)/.exec(textOf(screen.getByRole('dialog'))) ?? [];
  expect(Math.round((Date.parse(expiry) - pageTime()) / 86_400_000)).toBe(20);
  await user.click(adding.getByRole('button', { name: 'Add' }));
  expect(textOf(screen.getByRole('dialog'))).toContain('Must not be empty.');
  expect(await keys()).toHaveLength(1);

  await user.type(name, 'taken');
  await user.click(adding.getByRole('button', { name: 'Add' }));
  expect(textOf(screen.getByRole('dialog'))).toContain('already exists');
  expect(document.querySelector('[aria-invalid=true]')).toBe(name);
  expect(textOf()).not.toContain('The key could not be added');
  await user.type(name, ' 2');
  expect(textOf(screen.getByRole('dialog'))).not.toContain('already exists');
  await fill(adding.getByLabelText('Requests per minute'), '30');
  await user.click(adding.getByRole('button', { name: 'Add' }));

  const created = screen.getByRole('dialog', { name: 'API key created' });
  expect(textOf(created)).toContain('It is shown only once.');
  const [key = '', line] = codes(created);
  expect(key).toMatch(KEY);
  expect(line).toContain(key);
  await user.click(within(created).getByRole('tab', { name: 'Basic' }));
  expect(codes(created)[1]).toContain(`-u "api_key:${key}"`);
  expect(await statusOf(key)).toBe(200);
  await user.keyboard('{Escape}');
  await user.click(within(created).getAllByRole('button', { name: 'Close' }).at(-1)!);
  expect(document.documentElement.outerHTML).not.toContain(key.slice(9, -9));
  const [, role, day, expires, , limit, prefix] = cellsOfKey('taken 2') ?? [];
  expect([role, day, expires, limit, prefix]).toEqual([
    ...['Viewer', expect.stringMatching(/\d{4}/), expect.stringMatching(/in 20 days$/), '30 per minute'],
    `${key.slice(0, 9)}…`,
  ]);
  // The exact time of the end, for who points at it.
  const row = rowsOf('API keys').find((candidate) => textOf(candidate).includes('taken 2'));
  const titles = [...row!.querySelectorAll('time')].map(({ title }) => title);
  expect(titles[1]).toMatch(/^\d{4}-\d\d-\d\dT/);
});

test('the list finds keys, hides expired ones until requested, and warns of those that end soon', async () => {
  await addKey({ name: 'lasting' });
  await addKey({ name: 'soon', time_to_live: '60h' });
  site.inventory.clock.now = new Date(pageTime() - 3_600_000);
  await addKey({ name: 'short', time_to_live: '1s' });
  site.inventory.clock.now = undefined;
  const network = await site.at('configuration/api-keys');
  expect(textOf()).not.toContain('keys of hosts are shown');
  expect(cellsOfKey('short')).toBeUndefined();
  expect(cellsOfKey('lasting')).toContain('No limit');
  expect(cellsOfKey('lasting')?.[0]).toBe('lasting');
  expect(cellsOfKey('soon')?.join()).toContain('Expires in 2 days');
  await user.click(screen.getByLabelText('Show expired'));
  expect(cellsOfKey('short')?.join()).toContain('Expired');
  await user.type(screen.getByPlaceholderText('Find by name, role or first characters'), 'no such key');
  expect(textOf()).toContain('No key matches');
  // All keys are there: the text is not looked for on the server.
  await pass(1000);
  expect(network.requests.filter((request) => request.includes('no+such'))).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Clear the filter' }));
  expect(cellsOfKey('lasting')).toBeDefined();
});

test('removing a key states its effect and last use, and the key is refused afterwards', async () => {
  const { key } = await addKey({ name: 'first key' });
  expect(await statusOf(key)).toBe(200);
  await site.at('configuration/api-keys');
  await choose('first key', 'Remove');
  const text = textOf(screen.getByRole('dialog', { name: 'Remove API key' }));
  expect(text).toContain('Every program that uses this key is refused at once');
  expect(text).not.toContain('will be logged out');
  expect(text).toMatch(/It was last used (just now|\d+ minutes? ago) from 127\.0\.0\.1\./);
  await user.click(dialog('Remove API key').getByRole('button', { name: 'Remove' }));
  expect(textOf()).toContain('The API key first key was removed');
  expect(textOf()).toContain('No API keys yet');
  expect(await statusOf(key)).toBe(401);
});

test('after a rotation without an overlap the last use of the former secret is still shown', async () => {
  const leaked = await addKey({ name: 'leaked' });
  expect(await statusOf(leaked.key)).toBe(200);
  await site.write('POST', `/v1/api-keys/${leaked.key_id}/rotate`, { overlap: '0s' });
  await site.at('configuration/api-keys');
  expect(cellsOfKey('leaked')).toContainEqual(
    expect.stringMatching(/^Never Former secret: from 127\.0\.0\.1 just now/),
  );
  await choose('leaked', 'Remove');
  expect(textOf(screen.getByRole('dialog', { name: 'Remove API key' }))).toMatch(
    /Its new secret was never used\. A former secret was last used .* from 127\.0\.0\.1\./,
  );
  await user.click(dialog('Remove API key').getByRole('button', { name: 'Cancel' }));
  await choose('leaked', 'Show its calls in the audit');
  expect(location.hash).toBe(`#/configuration/audit?actor_id=${leaked.key_id}`);
});

test('Rotate asks for an overlap, states the end of the former secret, and shows the new one once', async () => {
  const { key: old } = await addKey({ name: 'reconciler' });
  await site.at('configuration/api-keys');
  await choose('reconciler', 'Rotate');
  const rotating = screen.getByRole('dialog', { name: 'Rotate API key' });
  const overlap = within(rotating).getByLabelText('Overlap');
  expect(textOf(rotating)).toMatch(/The current secret works until /);
  await fill(overlap, '0s');
  expect(textOf(rotating)).toContain('The current secret and all previous secrets expire at once');
  await fill(overlap, '31d');
  expect(textOf(rotating)).toContain('Must be a whole number and a unit');
  await fill(overlap, '2h');
  await user.click(within(rotating).getByRole('button', { name: 'Rotate' }));
  const rotated = screen.getByRole('dialog', { name: 'API key rotated' });
  expect(textOf(rotated)).toMatch(/The previous secret works until /);
  const [key = ''] = codes(rotated);
  expect(key).toMatch(KEY);
  expect([await statusOf(old), await statusOf(key)]).toEqual([200, 200]);
  await user.click(within(rotated).getAllByRole('button', { name: 'Close' }).at(-1)!);
  expect(cellsOfKey('reconciler')?.join()).toContain('Previous secret expires');
  expect(document.documentElement.outerHTML).not.toContain(key.slice(9, -9));

  await choose('reconciler', 'Change the rate limit');
  const limiting = screen.getByRole('dialog', { name: 'Change rate limit' });
  await fill(within(limiting).getByLabelText('Requests per minute'), 'many');
  await user.click(within(limiting).getByRole('button', { name: 'Change' }));
  expect(textOf(limiting)).toMatch(/Must be a (whole )?number\./);
  await fill(within(limiting).getByLabelText('Requests per minute'), '600');
  await user.click(within(limiting).getByRole('button', { name: 'Change' }));
  expect(cellsOfKey('reconciler')).toContain('600 per minute');
  expect(textOf()).toContain('The rate limit of the API key reconciler was changed.');
  await choose('reconciler', 'Change the rate limit');
  const again = dialog('Change rate limit').getByLabelText('Requests per minute');
  expect(again).toHaveProperty('value', '600');
  await fill(again, '');
  await user.click(dialog('Change rate limit').getByRole('button', { name: 'Change' }));
  expect(cellsOfKey('reconciler')).toContain('No limit');
});

test('without an overlap the new window says that the former secret no longer works', async () => {
  await addKey({ name: 'leaked', time_to_live: '1h' });
  await site.at('configuration/api-keys');
  await choose('leaked', 'Rotate');
  await fill(dialog('Rotate API key').getByLabelText('Overlap'), '0s');
  await user.click(dialog('Rotate API key').getByRole('button', { name: 'Rotate' }));
  const text = textOf(screen.getByRole('dialog', { name: 'API key rotated' }));
  expect(text).toContain('The previous secret no longer works.');
  expect(text).toMatch(/It expires .*\d\d:\d\d/);
});

test('a narrow list shows the first characters and the end of a key below its name', async () => {
  const { prefix } = await addKey({ name: 'ends', time_to_live: '60h' });
  await addKey({ name: 'stays' });
  await site.at('configuration/api-keys', { width: 600 });
  expect(cellsOfKey('ends')?.[0]).toMatch(new RegExp(`^ends ?${prefix}….*Expires in 2 days`));
  expect(cellsOfKey('stays')?.[0]).toContain('Never expires');
});

test('a key is disabled and enabled beside its removal, the window shows its last use, the row the number of uses', async () => {
  const { key } = await addKey({ name: 'paused', role: 'Editor' });
  expect(await statusOf(key)).toBe(200);
  await site.at('configuration/api-keys');
  expect(cellsOfKey('paused')?.join()).toContain('1 today, 1 in 7 days');
  await choose('paused', 'Disable');
  expect(textOf(screen.getByRole('dialog'))).toMatch(
    /is refused until you enable the key again.* It was last used .* from 127\.0\.0\.1\./,
  );
  await user.click(dialog('Disable API key').getByRole('button', { name: 'Disable' }));
  expect(textOf()).toContain('The API key paused was disabled.');
  expect(cellsOfKey('paused')?.join()).toContain('Disabled');
  expect(await statusOf(key)).toBe(401);
  await choose('paused', 'Enable');
  await user.click(dialog('Enable API key').getByRole('button', { name: 'Enable' }));
  expect(cellsOfKey('paused')?.join()).not.toContain('Disabled');
  expect(await statusOf(key)).toBe(200);
});

test('an enrolment token is checked while typed, shown once with its command, and removed before its use', async () => {
  await site.at('configuration/enrolment-tokens');
  expect(textOf()).toContain('No enrolment tokens');
  await user.click(screen.getAllByRole('button', { name: 'Add enrolment token' })[0]!);
  const adding = dialog('Add enrolment token');
  await user.click(adding.getByRole('button', { name: 'Add' }));
  expect(textOf(screen.getByRole('dialog'))).toContain('Must not be empty.');
  await user.type(adding.getByLabelText('Name'), 'web hosts');
  await user.type(adding.getByLabelText(/^Node name/), "web's 1");
  await user.type(adding.getByLabelText(/^Allowed addresses/), '10.0.0.0/8, 192.168.1.0/24');
  const life = adding.getByLabelText('Time to live');
  expect(life).toHaveProperty('value', '1h');
  await fill(life, '25h');
  expect(textOf(screen.getByRole('dialog'))).toContain('from 1s to 24h');
  await user.click(adding.getByRole('button', { name: '24 hours' }));
  expect(life).toHaveProperty('value', '24h');
  const keyLife = adding.getByLabelText('Time to live of the key');
  for (const [choice, value] of Object.entries({
    '7 days': '7d',
    '30 days': '30d',
    '1 year': '1y',
    Never: '',
    '90 days': '90d',
  })) {
    await user.click(adding.getByRole('button', { name: choice }));
    expect(keyLife).toHaveProperty('value', value);
  }
  expect(textOf(screen.getByRole('dialog'))).toContain('Counts from the enrolment.');
  await user.click(adding.getByRole('button', { name: 'Add' }));

  const created = screen.getByRole('dialog', { name: 'Enrolment token created' });
  expect(textOf(created)).toContain('It is shown only once.');
  const [token = '', line] = codes(created);
  expect(token).toMatch(/^minv_enrol_[0-9A-Za-z]{43}_[0-9a-f]{8}$/);
  expect(line).toContain(token);
  await user.click(within(created).getAllByRole('button', { name: 'Close' }).at(-1)!);
  expect(document.documentElement.outerHTML).not.toContain(token.slice(15, -9));
  const { enrolment_tokens: tokens } = (await site.api('GET', '/v1/enrolment-tokens')).body;
  expect(tokens).toMatchObject([{ name: 'web hosts', node_name: "web's 1", key_time_to_live: '90d' }]);
  expect(Math.round((Date.parse(tokens[0].expires_at) - Date.parse(tokens[0].created_at)) / 3_600_000)).toBe(24);

  await user.click(screen.getByRole('button', { name: 'Remove the token web hosts' }));
  expect(textOf()).toContain('The enrolment token web hosts was removed');
  expect(textOf()).toContain('No enrolment tokens');
});

test('an enrolment token has the networks, the owner and the rate limit of the form', async () => {
  await site.addNode('shop-1', { custom_labels: { team: 'shop' }, address: 'shop-1.example' });
  await site.at('configuration/enrolment-tokens');
  await user.click(screen.getAllByRole('button', { name: 'Add enrolment token' })[0]!);
  const adding = dialog('Add enrolment token');
  await user.type(adding.getByLabelText('Name'), 'shop hosts');
  await user.type(adding.getByLabelText(/^Allowed addresses/), ' 10.0.0.0/8,  192.168.1.0/24 ');
  await user.click(adding.getByRole('button', { name: /No limit/ }));
  await user.click(screen.getByRole('option', { name: 'shop' }));
  await user.keyboard('{Escape}');
  await user.type(adding.getByLabelText('Requests per minute'), '30');
  await user.click(adding.getByRole('button', { name: 'Add' }));
  const [token, ...others] = (await site.api('GET', '/v1/enrolment-tokens')).body.enrolment_tokens;
  expect(others).toEqual([]);
  expect(token).toMatchObject({
    ...{ name: 'shop hosts', owner: 'shop', key_rate_limit_per_minute: 30 },
    allowed_addresses: ['10.0.0.0/8', '192.168.1.0/24'],
  });
  await site.write('DELETE', `/v1/enrolment-tokens/${token.token_id}`);
});

test('the list of enrolment tokens names the node and the owner of each', async () => {
  const { token_id: id } = await site.write('POST', '/v1/enrolment-tokens', { name: 'of shop', owner: 'shop' });
  await site.at('configuration/enrolment-tokens');
  const cells = cellsOf(rowsOf('Enrolment tokens')).map((row) => row.slice(0, 2));
  expect(cells).toEqual([['of shop', 'Any new node Owner shop']]);
  await site.write('DELETE', `/v1/enrolment-tokens/${id}`);
});

test('an enrolment token that was used meanwhile is gone, and another failure has its message', async () => {
  const { token_id: id } = await site.write('POST', '/v1/enrolment-tokens', { name: 'used' });
  const network = await site.at('configuration/enrolment-tokens');
  network.refuseNext(/^DELETE \/v1\/enrolment-tokens/, 403, 'Not today.');
  await user.click(screen.getByRole('button', { name: 'Remove the token used' }));
  expect(textOf()).toContain('Not today.');
  const icons = () => screen.queryAllByRole('img', { name: /^(Error|Success)$/ }).map((icon) => icon.ariaLabel);
  expect(icons()).toEqual(['Error']);
  await site.write('DELETE', `/v1/enrolment-tokens/${id}`);
  await user.click(screen.getByRole('button', { name: 'Remove the token used' }));
  expect(textOf()).toContain('The enrolment token used no longer exists.');
  expect(icons().toSorted()).toEqual(['Error', 'Success']);
  expect(textOf()).toContain('No enrolment tokens');
});

test('the list of keys that expire soon has an address of its own, and can be empty', async () => {
  await addKey({ name: 'lasting' });
  await site.at('configuration/api-keys?expires=soon');
  expect(textOf()).toContain('No key matches');
  await user.click(screen.getByRole('button', { name: 'Clear the filter' }));
  expect(cellsOfKey('lasting')).toBeDefined();
  await addKey({ name: 'soon', time_to_live: '60h' });
  await user.click(screen.getByRole('button', { name: 'Reload the API keys' }));
  await user.click(screen.getByLabelText(/^Expires within/));
  expect(location.hash).toBe('#/configuration/api-keys?expires=soon');
  expect([cellsOfKey('lasting'), cellsOfKey('soon')]).toEqual([undefined, expect.anything()]);
  await user.click(screen.getByLabelText(/^Expires within/));
  expect(location.hash).toBe('#/configuration/api-keys');
  expect(cellsOfKey('lasting')).toBeDefined();
});

test('of many hosts the list has the first keys, and finds others by the start of the node name', async () => {
  await addKey({ name: 'program' });
  const [program] = await keys();
  const keyOf = (name: string) => ({ ...program, name, key_id: name, role: 'Registrar' });
  const prefixOf = (path: string) => new URLSearchParams(path.split('?')[1]).get('name_prefix');
  const network = await site.at('overview');
  network.refuseNext(/name_prefix=registrar%2Fb-/, 403, 'Not today.');
  network.answer(/^GET \/v1\/api-keys\?.*name_prefix/, ({ path }) =>
    prefixOf(path) === 'registrar/'
      ? { api_keys: [keyOf('registrar/a-1')], next_page_token: 'more' }
      : { api_keys: [keyOf('registrar/b-7')] },
  );
  const release = network.hold(/^GET \/v1\/api-keys/);
  await goTo('configuration/api-keys');
  expect(textOf()).toContain('Loading API keys');
  release();
  await pass(100);
  expect(textOf(screen.getByRole('heading', { level: 1 }))).toContain('(2+)');
  expect(textOf()).toContain('Only 100 keys of hosts are shown.');
  await user.type(screen.getByPlaceholderText('Find by name, role or first characters'), 'b-');
  await pass(1000);
  expect(textOf()).toContain('The API keys could not be loaded');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(cellsOfKey('registrar/b-7')).toBeDefined();
  expect(cellsOfKey('program')).toBeUndefined();
  const before = network.requests.length;
  await user.click(screen.getByRole('button', { name: 'Reload the API keys' }));
  const reloaded = network.requests.slice(before).flatMap((path) => prefixOf(path) ?? []);
  expect(reloaded.toSorted()).toEqual(['registrar/', 'registrar/b-']);
});

test('a use without a known address has only its time, and a day with a few uses a visible bar', async () => {
  await addKey({ name: 'used' });
  const [key] = await keys();
  const day = (ago: number) => new Date(pageTime() - ago * 86_400_000).toISOString().slice(0, 10);
  const time = new Date(pageTime()).toISOString();
  const uses_by_day = [
    { date: day(1), uses: 1 },
    { date: day(0), uses: 100 },
  ];
  const used = { ...key, last_used_at: time, former_last_used_at: time, uses_by_day };
  await site.at('configuration/api-keys', {
    before: (network) => void network.answer(/exclude_hosts/, () => ({ api_keys: [used] })),
  });
  expect(cellsOfKey('used')?.[4]).toMatch(/^just now Former secret: just now 100 today, 101 in 7 days/);
  const bars = [...rowsOf('API keys')[0]!.querySelectorAll('rect')].map((bar) => bar.getAttribute('height'));
  expect(bars).toEqual(['1', '1', '1', '1', '1', '1', '16']);
});

test('the overlap of a rotation ends after its time, or with the key', async () => {
  await addKey({ name: 'lasting', time_to_live: '90d' });
  await addKey({ name: 'ending', time_to_live: '2h' });
  /** How far away the end of the current secret is, in minutes. */
  const minutesOf = async (name: string, overlap: string) => {
    await site.at('configuration/api-keys');
    await choose(name, 'Rotate');
    await fill(dialog('Rotate API key').getByLabelText('Overlap'), overlap);
    const text = textOf(screen.getByRole('dialog'));
    expect(text).not.toContain('Must be a whole number');
    const [, end = ''] = /The current secret works until (.*?\d\d:\d\d)\./.exec(text) ?? [];
    return (Date.parse(end) - pageTime()) / 60_000;
  };
  const month = await minutesOf('lasting', '30d');
  expect(Math.abs(month - 43_200)).toBeLessThan(5);
  expect(Math.abs((await minutesOf('ending', '30d')) - 120)).toBeLessThan(5);
  expect(Math.abs(await minutesOf('lasting', '1s'))).toBeLessThan(5);
});

test('a previous secret whose overlap is over is not in the list', async () => {
  site.inventory.clock.now = new Date(pageTime() - 3_600_000);
  const { key_id: id } = await addKey({ name: 'rotated' });
  await site.write('POST', `/v1/api-keys/${id}/rotate`, { overlap: '1s' });
  site.inventory.clock.now = undefined;
  await site.at('configuration/api-keys');
  expect(cellsOfKey('rotated')?.[0]).toBe('rotated');
});

test('a previous secret is listed until the moment at which it expires', async () => {
  await addKey({ name: 'rotated' });
  const [key] = await keys();
  let start = 0;
  // The page opens at this time, and each reading of it is a millisecond later.
  const network = await site.at('configuration/api-keys', { before: () => void (start = pageTime() - 1) });
  const frames = Math.floor((pageTime() - start) / FRAME_MS);
  // The list is shown in one of the next frames: one of the keys ends exactly then.
  const api_keys = Array.from({ length: 80 }, (_, index) => {
    const end = new Date(start + (frames - 20 + index) * FRAME_MS).toISOString();
    return { ...key, key_id: `k-${index}`, name: `key-${index}`, expires_at: end, previous_expires_at: end };
  });
  network.answer(/exclude_hosts/, () => ({ api_keys }));
  await user.click(screen.getByRole('button', { name: 'Reload the API keys' }));
  const cells = cellsOf(rowsOf('API keys'));
  const ended = cells.filter(([, , , expiry]) => expiry === 'Expired').map(([name]) => name);
  const withoutSecret = cells.map(([name]) => name).filter((name) => !name?.includes('Previous secret expires'));
  expect([ended.length > 0, ended.length < cells.length]).toEqual([true, true]);
  expect(withoutSecret).toEqual(ended);
});

test('the question before an action on a key shows its request', async () => {
  await addKey({ name: 'asked' });
  await site.at('configuration/api-keys');
  const requestOf = async (action: string) => {
    await choose('asked', action);
    const question = dialog(`${action} API key`);
    await user.click(question.getByRole('button', { name: 'Show as curl', hidden: true }));
    const [request] = codes(screen.getByRole('dialog'));
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    return request;
  };
  expect(await requestOf('Disable')).toMatch(/-X PATCH [^]*-d '\{\s*"disabled": true\s*\}'$/);
  const removal = await requestOf('Remove');
  expect(removal).toMatch(/-X DELETE /);
  expect(removal).not.toContain('-d ');
});

test('a key has owners only with a role that can have them, and a team gives no other role', async () => {
  await site.addNode('db-1', { custom_labels: { team: 'dba' } });
  /** The roles that the form offers, in an open list. */
  const rolesIn = async (adding: ReturnType<typeof dialog>) => {
    await user.click(adding.getByRole('button', { name: /^Role/ }));
    return screen
      .getAllByRole('option')
      .map((option) => /^(Viewer|Editor|Admin|Relay|Gateway)/.exec(textOf(option))?.[0]);
  };
  const open = async () => {
    await user.click(screen.getAllByRole('button', { name: 'Add API key' })[0]!);
    return dialog('Add API key');
  };
  await site.at('configuration/api-keys');
  const adding = await open();
  await user.type(adding.getByLabelText('Key name'), 'of nobody');
  await user.click(adding.getByRole('button', { name: /No limit/ }));
  await user.click(screen.getByRole('option', { name: 'dba' }));
  await user.keyboard('{Escape}');
  expect(adding.getByRole('button', { name: 'Remove dba' })).toBeDefined();
  expect(await rolesIn(adding)).toContain('Admin');
  await user.click(screen.getByRole('option', { name: /^Admin/ }));
  expect(adding.queryByRole('button', { name: 'Remove dba' })).toBeNull();
  await user.click(adding.getByRole('button', { name: 'Add' }));
  expect(await keys()).toMatchObject([{ name: 'of nobody', role: 'Admin' }]);
  expect(Object.keys((await keys())[0])).not.toContain('owners');
  const { key } = await addKey({ name: 'team', role: 'Editor', owners: ['dba'] });
  await site.at('configuration/api-keys', { key });
  expect((await rolesIn(await open())).toSorted()).toEqual(['Editor', 'Viewer']);
});

test('a key that was removed meanwhile is gone, and another failure keeps the question open', async () => {
  const { key_id: id } = await addKey({ name: 'gone' });
  const network = await site.at('configuration/api-keys');
  await choose('gone', 'Disable');
  await site.write('DELETE', `/v1/api-keys/${id}`);
  await user.click(dialog('Disable API key').getByRole('button', { name: 'Disable' }));
  expect(textOf()).toContain('The key could not be disabled');
  await user.click(dialog('Disable API key').getByRole('button', { name: 'Cancel' }));
  await choose('gone', 'Remove');
  network.refuseNext(/^DELETE \/v1\/api-keys/, 403, 'Not today.');
  await user.click(dialog('Remove API key').getByRole('button', { name: 'Remove' }));
  expect(textOf()).toContain('The key could not be removed');
  await user.click(dialog('Remove API key').getByRole('button', { name: 'Remove' }));
  expect(textOf()).toContain('The API key gone was removed and no longer works.');
});

test('the list of enrolment tokens begins with the first to expire, and says when the key of each does', async () => {
  const ids: string[] = [];
  for (const fields of [
    { name: 'late', time_to_live: '8h', key_time_to_live: '90d' },
    { name: 'early', time_to_live: '1h' },
  ])
    ids.push((await site.write('POST', '/v1/enrolment-tokens', fields)).token_id);
  await site.at('configuration/enrolment-tokens');
  expect(cellsOf(rowsOf('Enrolment tokens')).map((cells) => [cells[0], cells[5]])).toEqual([
    ['early', 'Never'],
    ['late', 'After 90d'],
  ]);
  for (const id of ids) await site.write('DELETE', `/v1/enrolment-tokens/${id}`);
});
