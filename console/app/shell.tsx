import { QueryClientProvider } from '@tanstack/react-query';
import { base } from '../api/base.tsx';
import { useStore } from '../api/store.ts';
import { onInventoryWrite } from '../api/client.tsx';
import { forgetInventory, queries } from '../api/queries.tsx';
import '@cloudscape-design/global-styles/index.css';
import AppLayout from '@cloudscape-design/components/app-layout-toolbar';
import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar';
import { I18nProvider } from '@cloudscape-design/components/i18n';
import messages from '@cloudscape-design/components/i18n/messages/all.en';
import TopNavigation from '@cloudscape-design/components/top-navigation';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flash } from '../ui/flash.ts';
import { keptDrafts } from '../model/kept-drafts.tsx';
import { leaving } from '../ui/leaving.tsx';
import { pageLoader } from './load-page.tsx';
import { LoadedPage } from './loaded-page.tsx';
import { logOut } from './log-in.tsx';
import { API_BROWSER, commandsFor, sectionOf } from './menu.tsx';
import { SideMenu } from './side-menu.tsx';
import { pageOf, type PageName } from './page-of-route.tsx';
import { SelectionContext, type ShownObjects } from '../model/shown-objects.tsx';
import { CallerContext } from '../ui/caller-context.tsx';
import { Clock } from '../ui/moment.tsx';
import { PageLoading } from '../ui/page-loading.tsx';
import { useCrumbs } from '../ui/page-title.tsx';
import { useNarrow, useSmall } from '../ui/use-narrow.tsx';
import { RoomProvider, useRoomOf } from '../ui/room.tsx';
import { go, href, useRoute } from '../ui/route.tsx';
import { type Caller, session } from '../api/session.tsx';
import { roleAllows } from '../../shared/auth/roles.ts';
import { SearchField, SearchKey } from '../search/search-field.tsx';
import { searchIndex } from '../search-index/search-index.tsx';
import '../shell.css';
import { usePreferences } from './preferences.tsx';
import { useObjectPanel } from './use-object-panel.tsx';
import { useLostFocus } from './use-lost-focus.tsx';
import { useLiveData } from './use-live-data.tsx';
import { useSessionEnd } from './use-session-end.tsx';

/** Pages that consist of one table of full width. */
const tables: ReadonlySet<PageName> = new Set([
  'NodesPage',
  'ServicesPage',
  'AgentsPage',
  'ClustersPage',
  'ApiKeysPage',
  'EnrolmentTokensPage',
  'UsersPage',
  'SessionsPage',
  'AuditPage',
  'ComparePage',
  'RemovedPage',
  'SearchPage',
]);

/** Loaded when the user first opens it. */
const Help = lazy(() => import('./help.tsx'));

function Top({ caller }: { caller: Caller }) {
  const preferences = usePreferences();
  return (
    <TopNavigation
      identity={{
        href: '#/overview',
        title: 'Monitoring inventory',
        logo: { src: `${base}/favicon.svg`, alt: 'Home' },
      }}
      // Only roles from Viewer on can read the inventory.
      search={roleAllows(caller.role, 'Viewer') && <SearchField commands={commandsFor(caller)} />}
      utilities={[
        preferences,
        {
          type: 'menu-dropdown',
          text: caller.name,
          description: `Role: ${caller.role}`,
          iconName: 'user-profile',
          items: [
            { id: 'account', text: 'Your account' },
            { id: 'log-out', text: 'Log out' },
          ],
          onItemClick: ({ detail }) => {
            if (detail.id === 'account') go(href(['account']));
            if (detail.id === 'log-out') leaving.ask(() => void logOut());
          },
        },
      ]}
    />
  );
}

/** The message while the server does not answer. */
function unreachable(lostAt: Date): FlashbarProps.MessageDefinition {
  return {
    id: 'unreachable',
    type: 'warning',
    header: 'The server cannot be reached',
    content: (
      <>
        The page shows what was loaded before <Clock time={lostAt.getTime()} />. The console tries again by itself.
      </>
    ),
  };
}

function Notifications() {
  useLostFocus();
  const lostAt = useLiveData();
  const { messages, turns } = useStore(flash);
  return (
    // With a key for each page: otherwise old messages would fade out above the new page.
    <Flashbar
      key={turns}
      items={[
        ...(lostAt === undefined ? [] : [unreachable(lostAt)]),
        ...messages.map(({ id, type, header, content, action }) => ({
          id,
          type,
          header,
          content,
          action,
          dismissible: type !== 'in-progress',
          dismissLabel: 'Dismiss',
          onDismiss: () => flash.dismiss(id),
        })),
      ]}
    />
  );
}

/**
 * Opens the API browser with a copy of this tab's session: browsers copy the storage of a tab to one that it opens, but
 * not through a link to a new tab.
 */
function openApiBrowser(event: { detail: { href?: string }; preventDefault: () => void }): void {
  if (event.detail.href !== API_BROWSER) return;
  event.preventDefault();
  open(API_BROWSER);
}

function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus();
}

/** The next session starts without values of this one, except drafts of forms if the session expired. */
function forgetUser(): void {
  flash.clear();
  queries.clear();
  searchIndex.forget();
  const state = session.state();
  if (state.kind !== 'out' || state.notice?.type !== 'ended') keptDrafts.clear();
}

function useInventorySession(): void {
  useEffect(() => {
    searchIndex.resume();
    const stopListening = onInventoryWrite(forgetInventory);
    return () => {
      stopListening();
      forgetUser();
    };
  }, []);
}

/** The frame of the console: menu, breadcrumbs, messages and the page. */
export function Shell({ caller }: { caller: Caller }) {
  const route = useRoute();
  const narrow = useNarrow();
  const small = useSmall();
  const [navigationOpen, setNavigationOpen] = useState(!small);
  const [toolsOpen, setToolsOpen] = useState(false);
  const { page, menu: activeHref } = pageOf(route);
  const crumbs = useCrumbs(sectionOf(activeHref));
  const path = route.segments.join('/');
  const content = useRef<HTMLDivElement>(null);
  const room = useRoomOf(content);
  const [shown, setShown] = useState<ShownObjects>();
  const panel = useObjectPanel(shown, { narrow, small });
  useSessionEnd(caller);
  useInventorySession();
  // Before the new page is drawn: a message that disappears later would move the page under the pointer.
  useLayoutEffect(() => flash.turnPage(), [path]);
  useEffect(() => setNavigationOpen(!small), [small]);
  useEffect(() => {
    if (small) setNavigationOpen(false);
    if (narrow) setToolsOpen(false);
  }, [path]);

  return (
    <I18nProvider locale="en" messages={[messages]}>
      <QueryClientProvider client={queries}>
        <CallerContext value={caller}>
          <button type="button" className="skip-link" onClick={focusHeading}>
            Skip to the content
          </button>
          <div id="top">
            <Top caller={caller} />
            <SearchKey />
          </div>
          <AppLayout
            headerSelector="#top"
            {...panel}
            tools={
              toolsOpen && (
                <Suspense fallback={<PageLoading />}>
                  <Help page={page} />
                </Suspense>
              )
            }
            toolsOpen={toolsOpen}
            onToolsChange={({ detail }) => setToolsOpen(detail.open)}
            navigationOpen={navigationOpen}
            onNavigationChange={({ detail }) => setNavigationOpen(detail.open)}
            navigation={<SideMenu activeHref={activeHref} onFollow={openApiBrowser} />}
            breadcrumbs={<BreadcrumbGroup items={crumbs} ariaLabel="Breadcrumbs" />}
            notifications={<Notifications />}
            stickyNotifications
            contentType={tables.has(page) ? 'table' : 'default'}
            content={
              // In narrow windows, the open menu and the open help cover the page.
              <div ref={content} inert={narrow && (navigationOpen || toolsOpen)}>
                <SelectionContext value={setShown}>
                  <RoomProvider value={room}>
                    <LoadedPage load={pageLoader(page)} path={path} />
                  </RoomProvider>
                </SelectionContext>
              </div>
            }
          />
        </CallerContext>
      </QueryClientProvider>
    </I18nProvider>
  );
}
