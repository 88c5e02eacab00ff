import { endpoint as addUser } from '../../functions/api/users/add/endpoint.ts';
import { ApiFailure } from '../api/client.tsx';
import { Network } from '../testing/network.tsx';
import { closePage, show, untilQuiet } from '../testing/page.tsx';
import { filledFields, useRequestForm } from './use-request-form.tsx';

afterEach(closePage);

const start = { user_name: 'maria', owners: ['dba'] };

type Form = ReturnType<typeof useRequestForm<typeof start, object>>;

/** A form whose request is refused so. @returns its present state. */
async function showForm(failure: ApiFailure, more: { revision?: number; unique?: 'user_name' } = {}) {
  let form: Form;
  function Shown() {
    form = useRequestForm({
      ...{ endpoint: addUser, start, ...more },
      bodyOf: (draft) => ({ ...draft, role: 'Editor' }),
      send: () => Promise.reject(failure),
    });
    return null;
  }
  await show(<Shown />, { network: new Network(() => Promise.reject(new Error('no server'))) });
  return {
    get state() {
      return form;
    },
    submit: async () => {
      form.submit();
      await untilQuiet();
    },
    change: async (change: () => void) => {
      change();
      await untilQuiet();
    },
  };
}

test('a conflict is about the field that must be unique, until that field changes', async () => {
  const form = await showForm(new ApiFailure(409, { message: 'Taken.' }), { unique: 'user_name' });
  await form.submit();
  expect([form.state.fields.user_name.error, form.state.fields.owners.error]).toEqual(['Taken.', undefined]);
  await form.change(() => form.state.fields.owners.onChange(['shop']));
  expect(form.state.fields.user_name.error).toBe('Taken.');
  await form.change(() => form.state.fields.user_name.onChange('maria.lopez'));
  expect(form.state.fields.user_name.error).toBeUndefined();
  expect(form.state.draft).toEqual({ user_name: 'maria.lopez', owners: ['shop'] });
});

test('a violation in a part of a field is shown at the field, and not at one whose name begins alike', async () => {
  const details = [{ field: 'owners.0', reason: 'x', message: 'No owner.' }];
  const form = await showForm(new ApiFailure(400, { message: 'Invalid.', details }));
  await form.submit();
  expect([form.state.fields.owners.error, form.state.fields.user_name.error]).toEqual(['No owner.', undefined]);
  const alike = await showForm(
    new ApiFailure(400, { message: 'Invalid.', details: [{ ...details[0]!, field: 'owners_of' }] }),
  );
  await alike.submit();
  expect(alike.state.fields.owners.error).toBeUndefined();
});

test('the request that a form shows has the draft, and the revision that the object must have', async () => {
  const failure = new ApiFailure(400);
  const body = { ...start, role: 'Editor' };
  const added = await showForm(failure);
  expect(added.state.request).toMatchObject({ method: 'POST', path: '/v1/users', body });
  expect(added.state.request).not.toHaveProperty('revision');
  expect((await showForm(failure, { revision: 7 })).state.request).toMatchObject({ body, revision: 7 });
});

test('an empty text or list is no field of a request', () => {
  expect(filledFields({ a: '', b: ' ', c: [], d: undefined, e: 'x', f: ' y ', g: ['z'], h: [''] })).toEqual({
    ...{ e: 'x', f: ' y ', g: ['z'], h: [''] },
  });
});
