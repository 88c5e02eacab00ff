import { apiKey } from '../../../tests/support/credentials.ts';
import { numberOf } from '../../store/credentials/service-accounts.ts';
import { removeByNumber } from './grafana.ts';

test('two keys with one number are not removed', async () => {
  const key = apiKey();
  // The call is refused before it uses the table.
  const removal = removeByNumber({} as never, [key, key], numberOf(key.key_id));
  await expect(removal).rejects.toMatchObject({ kind: 'failedPrecondition' });
  await expect(removeByNumber({} as never, [key], 1)).rejects.toMatchObject({ kind: 'notFound' });
});
