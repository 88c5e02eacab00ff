import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import { useState } from 'react';
import { plural } from '../ui/words.ts';

/** Fewer good rows than this are always shown. */
const MIN_FOLDED = 4;

/**
 * The rows of a table without the good ones, which a button below it shows. If all rows are good, none is folded.
 *
 * @param noun of a row.
 */
export function useFolded<T>(rows: readonly T[], isGood: (row: T) => boolean, noun: string) {
  const [isOpen, setIsOpen] = useState(false);
  const rest = rows.filter((row) => !isGood(row));
  const folded = rows.length - rest.length;
  if (rest.length === 0 || folded < MIN_FOLDED) return { visible: rows, button: undefined };
  const text = plural(folded, `live ${noun}`);
  return {
    visible: isOpen ? rows : rest,
    button: (
      <Box textAlign="center">
        <Button
          variant="inline-link"
          iconName={isOpen ? 'angle-up' : 'angle-down'}
          ariaExpanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? `Hide ${text}` : `Show ${text}`}
        </Button>
      </Box>
    ),
  };
}
