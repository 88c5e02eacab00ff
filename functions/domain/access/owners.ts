import * as z from 'zod/mini';
import { isLegible, text } from '../../../shared/core/text.ts';
import { listOfDifferent } from '../fields/common-fields.ts';

/** The most owners of a key, and the most characters of each: they are a part of the authorizer's reply. */
export const MAX_OWNERS = 10;
const MAX_OWNER = 64;

export const ownerSchema = text({ max: MAX_OWNER }).check(isLegible());

export const ownersSchema = listOfDifferent(
  ownerSchema,
  MAX_OWNERS,
  'Values of the owner label, `team` by default. An Editor with owners writes only objects with one of these values.',
  'Contains a duplicate owner.',
).check(z.minLength(1));

/** The same in replies: keys may have been stored before the present rules. */
export const storedOwners = z
  .array(z.string())
  .check(z.meta({ description: 'The owners to which the writes are limited; absent without a limit.' }));
