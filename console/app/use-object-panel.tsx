import type { AppLayoutProps } from '@cloudscape-design/components/app-layout';
import { lazy, Suspense } from 'react';
import * as z from 'zod/mini';
import { useStore } from '../api/store.ts';
import { storedJson } from '../ui/preference.ts';
import type { ShownObjects } from '../model/shown-objects.tsx';

/** Lazy: lists work without it. */
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
 * The panel with the details of the object that is selected in a list. The browser stores its position.
 *
 * @param narrow Narrow windows have no panel: there, a name is a link to the page of its object.
 * @param small In small windows the panel covers rows of the list: it is omitted without a selection.
 */
export function useObjectPanel(
  shown: ShownObjects | undefined,
  { narrow, small }: { narrow: boolean; small: boolean },
): PanelProps {
  const { open, position } = useStore(preference);
  const isBar = small || (position === 'bottom' && !open);
  return {
    splitPanel: shown !== undefined && !narrow && !(isBar && shown.count === 0) && (
      <Suspense fallback={null}>
        <ObjectPanel shown={shown} isOpen={open} columns={position === 'side' ? 1 : 3} />
      </Suspense>
    ),
    // Also without a panel: the first rendering of the layout decides whether it is controlled.
    splitPanelOpen: open,
    splitPanelPreferences: { position },
    onSplitPanelToggle: ({ detail }) => preference.set({ open: detail.open, position }),
    onSplitPanelPreferencesChange: ({ detail }) => preference.set({ open, position: detail.position }),
  };
}
