import type { AppLayoutProps } from '@cloudscape-design/components/app-layout';
import { lazy, Suspense } from 'react';
import * as z from 'zod/mini';
import { useStore } from '../api/store.ts';
import { storedJson } from '../ui/preference.ts';
import { shownObjects } from '../model/shown-objects.tsx';

/** Lists are complete without it. */
const ObjectPanel = lazy(() => import('../objects/page/object-panel.tsx'));

const preference = storedJson('object-panel', z.object({ open: z.boolean(), position: z.enum(['side', 'bottom']) }), {
  open: false,
  position: 'side',
});

type PanelProps = Pick<
  AppLayoutProps,
  'splitPanel' | 'splitPanelOpen' | 'splitPanelPreferences' | 'onSplitPanelToggle' | 'onSplitPanelPreferencesChange'
>;

/**
 * The panel with the details of the object that is selected in a list. Whether it is open and where is stored.
 *
 * @param narrow narrow windows have no room for it: there, a name leads to the page of its object.
 * @param small in small windows it is below the list, and covers rows: it is omitted without a selection.
 */
export function useObjectPanel({ narrow, small }: { narrow: boolean; small: boolean }): PanelProps {
  const shown = useStore(shownObjects);
  const { open, position } = useStore(preference);
  const isBar = small || (position === 'bottom' && !open);
  return {
    splitPanel: shown !== undefined && !narrow && !(isBar && shown.count === 0) && (
      <Suspense fallback={null}>
        <ObjectPanel shown={shown} isOpen={open} columns={position === 'side' ? 1 : 3} />
      </Suspense>
    ),
    // Also without a panel: the layout decides with its first rendering who keeps these.
    splitPanelOpen: open,
    splitPanelPreferences: { position },
    onSplitPanelToggle: ({ detail }) => preference.set({ open: detail.open, position }),
    onSplitPanelPreferencesChange: ({ detail }) => preference.set({ open, position: detail.position }),
  };
}
