import { CHANGE_HOURS, type CountedPart, MAX_COUNTED_CLUSTERS } from '../../functions/domain/records/summary.ts';

const clusters = MAX_COUNTED_CLUSTERS.toLocaleString('en');

export const incompleteTexts: Readonly<Record<CountedPart, string>> = {
  objects: 'The objects are not all counted yet: the count of a large inventory takes several requests.',
  clusters: `The inventory has more clusters than are counted: ${clusters}.`,
  changes: `The changes of the last ${CHANGE_HOURS} hours are not all counted yet: their chart is not complete.`,
};
