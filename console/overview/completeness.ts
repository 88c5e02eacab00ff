import { CHANGE_HOURS, type CountedPart, MAX_COUNTED_CLUSTERS } from '../../functions/domain/records/summary.ts';
import { numberText } from '../ui/words.ts';

const clusters = numberText(MAX_COUNTED_CLUSTERS);

export const incompleteTexts: Readonly<Record<CountedPart, string>> = {
  objects: 'The objects are not all counted yet: the count of a large inventory takes several requests.',
  clusters: `The inventory has more clusters than are counted: ${clusters}.`,
  changes: `The changes of the last ${CHANGE_HOURS} hours are not all counted yet: their chart is not complete.`,
};
