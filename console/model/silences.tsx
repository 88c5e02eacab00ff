import { printSelector } from '../../shared/selector/print-selector.ts';
import { endpoint as listSilences } from '../../functions/api/silences/list/endpoint.ts';
import { endpoint as removeSilence } from '../../functions/api/silences/remove/endpoint.ts';
import { call, type ReplyOf } from '../api/client.tsx';
import { reloadShown } from '../api/queries.tsx';
import { STATES_MS } from '../ui/auto-refresh.tsx';
import { flash } from '../ui/flash.ts';
import { failureOf, useLoad } from '../ui/use-load.tsx';
import { type InventoryObject, type Kind, nodes, services } from './kinds.tsx';
import { cachedObject } from './object-cache.tsx';
import { silencesOn } from './silences-on.ts';

export type Silence = ReplyOf<typeof listSilences>['silences'][number];

const loadSilences = async (signal: AbortSignal) => (await call(listSilences, {}, { signal })).silences;

/** The silences that have not ended, the next to end first. */
export const useSilences = () => useLoad('silences', loadSilences, STATES_MS);

/** The selector of the objects that have one of these values of a label. */
export const selectorOf = (label: string, [first = '', ...others]: readonly string[]) =>
  printSelector([{ label, operator: 'in', values: [first, ...others] }]);

const findGround = (kind: 'node' | 'service', id: string) =>
  (kind === 'node' ? cachedObject(nodes, id) : cachedObject(services, id)).catch((error: unknown) => {
    if (failureOf(error).status !== 404) throw error;
    return undefined;
  });

/** The silences of an object, and of what it rests on. Reads other objects only while a silence exists. */
export function useSilencesOn<T extends InventoryObject>(kind: Kind<T>, object: T): readonly Silence[] {
  const { value: silences = [], loadedAt } = useSilences();
  const { value = [] } = useLoad(
    ['silences of', kind.folder, kind.idOf(object), object.revision, loadedAt],
    silences.length === 0 ? undefined : () => silencesOn(silences, kind.noun, object, findGround),
  );
  return value;
}

export async function endSilence({ silence_id: id, selector }: Silence): Promise<void> {
  try {
    await call(removeSilence, { params: { silence_id: id } });
    flash.add({ type: 'success', content: `The silence of ${selector} has ended.` });
  } catch (error) {
    const { status, message } = failureOf(error);
    const isOver = status === 404;
    flash.add({ type: isOver ? 'success' : 'error', content: isOver ? 'The silence had ended before.' : message });
  }
  reloadShown();
}
