import { base } from '../api/base.tsx';
import HelpPanel from '@cloudscape-design/components/help-panel';
import Icon from '@cloudscape-design/components/icon';
import Link from '@cloudscape-design/components/link';
import { href } from '../ui/route.tsx';
import type { PageName } from './page-of-route.tsx';

interface Help {
  title: string;
  sentences: readonly string[];
  /** Names of documents, by the texts of their links. */
  documents: Readonly<Record<string, string>>;
}

const inventory = {
  'All endpoints and fields': 'api',
  'State of hosts': 'states',
  'Cleanup and restore': 'life-cycle',
} as const;

const object: Help = {
  title: 'An object of the inventory',
  sentences: [
    'The page shows the fields of the object, its labels, its relations, and the history of its changes.',
    'The page of a node shows its states in the last 24 hours. The worse a state, the higher its part of the strip.',
    'Change and Remove affect the inventory only. No program on a host is started, stopped or deleted.',
  ],
  documents: { ...inventory, 'History and changes': 'changes' },
};

const form: Help = {
  title: 'Add or change an object',
  sentences: [
    'The type determines the fields. More options contains the fields that few objects need.',
    'Show as curl contains the same request for a program.',
  ],
  documents: { ...inventory, 'Keep the inventory up to date from a program': 'automation' },
};

const list = (title: string, sentence: string): Help => ({
  title,
  sentences: [
    sentence,
    'The filter finds objects by name, type, state, labels and relations. The address of the page contains it with the order and the page, so a list can be shared.',
    'An arrow in the header of a column is the order of the list. A list of several pages without an arrow has the order of the server: capital letters before small ones, 10 before 9. A click on a header sorts all pages as people read them.',
    'Actions affect the selected objects. Without a selection they affect all objects of the filter, also those of other pages, except Remove and Silence. The dialog names the objects and the filter.',
    'Every page shows the progress of an action until it ends or is stopped.',
    'The panel that the button at the top right opens shows the details of the object that is selected in the list.',
    'Show as curl contains the request of the list for a program.',
  ],
  documents: { ...inventory, 'List by label': 'selectors' },
});

/** The help of every page. A page without help is a type error. */
const helpOf: Readonly<Record<PageName, Help>> = {
  OverviewPage: {
    title: 'Overview',
    sentences: [
      'Each number leads to the list of the objects that it counts. The server keeps the numbers for up to a minute.',
      'Needs attention contains hosts without reports, agents that do not run, interrupted work, and credentials that expire soon.',
      'Nodes over the last 24 hours shows how many nodes were live, stale and offline. The areas of stale and offline nodes have the same scale.',
    ],
    documents: { 'Totals, and what needs attention': 'summary', 'Metrics and alert rules': 'monitoring' },
  },
  SearchPage: {
    title: 'Search',
    sentences: [
      'The search finds any part of a name, an address, an id, a cluster or a label, of all kinds of objects. Equal names, ids and addresses are first.',
      'The key /, or Ctrl-K, moves to the search field. The arrow keys choose a result, and Enter opens it.',
      'The field also opens pages and forms: "go audit", "add node". Icons show the present health of the results.',
    ],
    documents: inventory,
  },
  NodesPage: list('Nodes', 'A node is a machine, a container or a managed instance. Services and agents run on nodes.'),
  ServicesPage: list(
    'Services',
    'A service is a database or a proxy. It runs on no node (serverless), on one, or on several.',
  ),
  AgentsPage: list(
    'Agents',
    'Agents give insight into nodes and services. The pmm_agent of a node starts and stops its other agents, and reports for them.',
  ),
  NodePage: object,
  ServicePage: object,
  AgentPage: object,
  FormPage: form,
  ClustersPage: {
    title: 'Clusters',
    sentences: [
      'Services with the same value of the field Cluster form a cluster. The match is exact.',
      'Remove, beside a cluster of which no member reports any more, removes its services and the nodes on which only these run.',
    ],
    documents: inventory,
  },
  ClusterPage: {
    title: 'A cluster',
    sentences: [
      'The page shows the services of the cluster, the nodes that they run on, and the agents that give insight into them.',
      'The strip shows the worst state of the services in the last 24 hours. The worse a state, the higher its part.',
    ],
    documents: inventory,
  },
  SilencesPage: {
    title: 'Silences',
    sentences: [
      'During planned work a silence keeps the objects that its selector matches out of Needs attention, marks them in the metrics, and suppresses events of their states.',
      'It ends by itself, or at once when it is ended here. Another silence with the same selector replaces it.',
    ],
    documents: { 'What a silence covers': 'summary', 'List by label': 'selectors' },
  },
  ReconcilePage: {
    title: 'Reconcile',
    sentences: [
      'A reconciliation makes a part of the inventory equal to a desired state.',
      'The plan shows each difference. No changes are made until you apply it.',
    ],
    documents: { 'Make a part equal to a desired state': 'reconcile', 'List by label': 'selectors' },
  },
  RemovedPage: {
    title: 'Removed',
    sentences: ['A removal can be restored for some days, with all dependent objects, their ids and their history.'],
    documents: { 'Restore of removed objects': 'life-cycle' },
  },
  ApiKeysPage: {
    title: 'API keys',
    sentences: [
      'Programs present an API key with each request. Its role determines what it may do.',
      'A key is shown only once. Rotate replaces its secret, and the previous one still works during the overlap.',
      'A disabled key is refused until it is enabled. Bars show authorizations per day: one stands for all calls that the gateway answers from its cache.',
    ],
    documents: { 'Keys, roles and rate limits': 'keys' },
  },
  EnrolmentTokensPage: {
    title: 'Enrolment tokens',
    sentences: ['A host exchanges a token once for its own key, which manages its node and the objects below it.'],
    documents: { 'Keys of hosts': 'hosts', 'Keep the inventory up to date from a program': 'automation' },
  },
  UsersPage: {
    title: 'Users',
    sentences: [
      'Each person logs in as a user, and the audit names the person. A new user sets a password by the link of an invitation.',
      'Owners limit what an Editor changes: only objects with one of these values of the owner label.',
    ],
    documents: { Users: 'people', 'Audit of changes and credentials': 'audit' },
  },
  UserPage: {
    title: 'A user',
    sentences: [
      'The page shows the rights of the user and the active sessions. Every change of the rights ends all sessions of the user.',
    ],
    documents: { Users: 'people' },
  },
  RoleBindingsPage: {
    title: 'Role bindings',
    sentences: [
      'A binding gives a role to the identities of a provider that have all of its claims. Of several matching bindings the strongest role counts, and owners of equal roles are united.',
      'Preview a role answers which role an identity with some claims would get, by which bindings, and which claims the others miss.',
    ],
    documents: { 'Role bindings': 'role-bindings', 'Audit of changes and credentials': 'audit' },
  },
  DevicePage: {
    title: 'Log in on a device',
    sentences: [
      'A program without a browser shows a code, for example inventory login --device. Enter the code here, read which program asks from where, and approve or deny.',
      'The program gets a session of yours with at most your role. Your account lists it, and ends it.',
    ],
    documents: { 'The command line': 'cli', Users: 'people' },
  },
  AccountPage: {
    title: 'Your account',
    sentences: [
      'The page shows your role, its reason, and when your session ends. Users change their own password here.',
    ],
    documents: { Users: 'people' },
  },
  SessionsPage: {
    title: 'Sessions',
    sentences: ['A log-in with a password creates a session. To end a session, its user has to log in again.'],
    documents: { Sessions: 'people' },
  },
  AuditPage: {
    title: 'Audit',
    sentences: [
      'The audit contains changes of objects, operations on credentials, and refused requests, newest first.',
      'The filter accepts a caller or an object by its id, its name, or a part of the name that no other one has.',
    ],
    documents: { 'Audit of changes and credentials': 'audit', 'Follow changes': 'changes' },
  },
  ComparePage: {
    title: 'Compare two times',
    sentences: [
      'The page lists each field whose value differs between two times, with both values. A field that changed back is not listed, and neither is an object that was added and removed in between.',
      'The address contains both times and the filters, so a comparison can be shared. The CSV file contains the rows that the filters leave.',
    ],
    documents: { 'Compare two times': 'audit', 'Follow changes': 'changes' },
  },
  QuickStartPage: {
    title: 'Quick start',
    sentences: [
      'The steps lead from an empty inventory to the first target of Prometheus. Each one has its command for this server.',
      'A step has a tick when the inventory contains what it adds. Copy a command, run it in a terminal, and return to this page.',
    ],
    documents: { 'Scrape targets for Prometheus': 'discovery', 'Keys of hosts': 'hosts' },
  },
  NotFoundPage: {
    title: 'Monitoring inventory',
    sentences: ['The inventory contains nodes, the services that run on them, and the agents that monitor both.'],
    documents: inventory,
  },
};

const documentAt = (name: string) => `${base}/docs/${name}${name === '' ? '' : '.html'}`;

function DocumentLink({ name, text }: { name: string; text: string }) {
  return (
    <li>
      <Link href={documentAt(name)} external externalIconAriaLabel="Opens in a new tab">
        {text}
      </Link>
    </li>
  );
}

/** The purpose of the current page, and links to documents. */
export default function Help({ page }: { page: PageName }) {
  const { title, sentences, documents } = helpOf[page];
  return (
    <HelpPanel
      header={<h2>{title}</h2>}
      footer={
        <>
          <h3>
            Learn more <Icon name="external" />
          </h3>
          <ul>
            {Object.entries(documents).map(([text, name]) => (
              <DocumentLink key={text} name={name} text={text} />
            ))}
            <DocumentLink name="" text="All documents" />
          </ul>
        </>
      }
    >
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p>
        <Link href={href(['quick-start'])}>Quick start</Link> lists the first steps with the commands for this server.
      </p>
    </HelpPanel>
  );
}
