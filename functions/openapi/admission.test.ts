import { admissionOf } from './admission.ts';

test.each([
  [{ role: 'none' }, 'Requires no credentials.', { 'x-registrar': true }, []],
  [{ role: 'Admin' }, 'Role: **Admin**.', {}, undefined],
  [{ role: 'Editor' }, 'Role: **Editor** or higher.', {}, undefined],
  [
    { role: 'Editor', lowerRole: { role: 'Viewer', field: 'mode', value: 'plan' } },
    'Role: **Editor** or higher. A **Viewer** may call it if `mode` is `plan`.',
    { 'x-lower-role': 'Viewer' },
    undefined,
  ],
  [
    { role: 'Viewer', scoped: true },
    'Role: **Viewer** or higher. A **Registrar** may call it within its node.',
    { 'x-registrar': true },
    undefined,
  ],
  [
    { role: 'Editor', relay: true },
    'Role: **Editor** or higher. A **Relay** may call it.',
    { 'x-relay': true },
    undefined,
  ],
  [
    { role: 'Viewer', gateway: true },
    'Role: **Viewer** or higher. A **Gateway** may call it.',
    { 'x-gateway': true },
    undefined,
  ],
  [
    { role: 'Viewer', callers: ['user'] },
    'Role: **Viewer** or higher. Only with a user name and password.',
    { 'x-callers': 'user' },
    [{ Basic: [] }],
  ],
  [
    { role: 'Viewer', callers: ['session', 'user'] },
    'Role: **Viewer** or higher. Only with a session key or a user name and password.',
    { 'x-callers': 'session user' },
    undefined,
  ],
] as const)('the admission of %j in words, for programs, and as security', (access, words, extensions, security) => {
  expect(admissionOf(access)).toEqual({ words, extensions, ...(security === undefined ? {} : { security }) });
});
