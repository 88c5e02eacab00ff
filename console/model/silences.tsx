import { matchesSelector } from '../../shared/selector/matches-selector.ts';
import { parseSelector } from '../../shared/selector/parse-selector.ts';
import { printSelector } from '../../shared/selector/print-selector.ts';
import { endpoint as listSilences } from '../../functions/api/silences/list/endpoint.ts';
import { endpoint as removeSilence } from '../../functions/api/silences/remove/endpoint.ts';
import { call, type ReplyOf } from '../api/client.tsx';
import { reloadShown } from '../api/queries.tsx';
import { STATES_MS } from '../ui/auto-refresh.tsx';
import { flash } from '../ui/flash.ts';
import { failureOf, useLoad } from '../ui/use-load.tsx';

export type Silence = ReplyOf<typeof listSilences>['silences'][number];

const loadSilences = async (signal: AbortSignal) => (await call(listSilences, {}, { signal })).silences;

/** The silences that have not ended, the next to end first. */
export const useSilences = () => useLoad('silences', loadSilences, STATES_MS);

/** The selector of the objects that have one of these values of a label. */
export const selectorOf = (label: string, [first = '', ...others]: readonly string[]) =>
  printSelector([{ label, operator: 'in', values: [first, ...others] }]);

/** Whether the selector of a silence matches labels; the end is that of the list. */
export const covers = ({ selector }: Silence, valueOf: (label: string) => string | undefined) =>
  matchesSelector(parseSelector(selector), valueOf);

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
