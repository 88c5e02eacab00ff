import Link from '@cloudscape-design/components/link';
import { undoRemoval } from '../../model/restore.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { flash } from '../../ui/flash.ts';
import { go, href } from '../../ui/route.tsx';
import { addUndoable } from './undoable-message.tsx';
import { failureOf } from '../../ui/use-load.tsx';
import { plural } from '../../ui/words.ts';

interface UndoTarget {
  folder: 'nodes' | 'services' | 'agents';
  noun: string;
  id: string;
  name: string;
}

const removedPage = (
  <Link href={href(['removed'])} color="inverted">
    Removed
  </Link>
);

async function undo({ folder, noun, id, name }: UndoTarget): Promise<void> {
  const page = href([folder, id]);
  const isAtList = location.hash === href([folder]);
  try {
    const { restored, left } = await undoRemoval([id]);
    const others = restored.length - 1;
    flash.add(
      {
        type: left.length === 0 ? 'success' : 'warning',
        content: (
          <>
            The {noun}{' '}
            <Link href={page} color="inverted">
              <Words text={name} />
            </Link>{' '}
            was restored{others > 0 && ` with ${plural(others, 'dependent object')}`}.
            {left.length > 0 && (
              <>
                {' '}
                {plural(left.length, 'object')} could not be restored. See {removedPage}.
              </>
            )}
          </>
        ),
      },
      { pages: isAtList ? 1 : 0 },
    );
    // The list was loaded without the object.
    if (isAtList && restored.some((object) => object.id === id)) go(page);
  } catch (error) {
    flash.add({
      type: 'error',
      header: `The ${noun} could not be restored`,
      content: (
        <>
          <bdi className="any-word">{failureOf(error).message}</bdi> See {removedPage}.
        </>
      ),
    });
  }
}

/**
 * Shows a message about a removal, with a button that restores the object. The message stays for one change of the
 * page.
 */
export const offerUndo = (removed: UndoTarget, text: string) =>
  addUndoable({ type: 'success', content: text }, `Undo the removal of ${removed.name}`, () => undo(removed));
