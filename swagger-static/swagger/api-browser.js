import { keepAccessible, plainOperationLines } from './accessible.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const followSystem = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followSystem);
followSystem();

/** The session of the console in this tab; its module `session.tsx` writes it. */
function sessionKey() {
  try {
    const { key, until } = JSON.parse(sessionStorage.getItem('session-key') ?? '{}');
    return until > Date.now() ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The path of the server: empty, or the stage of the API. */
const base = new URL('..', location.href).pathname.replace(/\/$/, '');

/** The document has paths from the root of the server. */
function belowBase(request) {
  const url = new URL(request.url, location.href);
  if (base !== '' && url.origin === location.origin && url.pathname.startsWith('/v1/'))
    url.pathname = base + url.pathname;
  return Object.assign(request, { url: url.href });
}

/** Uses the session of the console for requests, if the server still accepts it. */
async function continueSession() {
  const key = sessionKey();
  if (key === undefined) return;
  const reply = await fetch(`${base}/v1/caller`, { headers: { Authorization: `Bearer ${key}` }, cache: 'no-store' });
  if (!reply.ok) return;
  const { name, role } = await reply.json();
  ui.preauthorizeApiKey('Bearer', key);
  document.getElementById('session').textContent = `Requests use your session in the console: ${name}, ${role}`;
}

/** What the fields of the Authorize dialog have besides what Swagger UI gives them. */
const fields = {
  'auth-bearer-value': {
    type: 'password',
    autoComplete: 'off',
    spellCheck: false,
    autoFocus: true,
    'aria-label': 'Key',
  },
  // Of two fields that take the focus, the last one would have it.
  'auth-basic-username': { autoFocus: false },
};

const authorizeDialog = ({ React }) => ({
  wrapComponents: {
    Input: (Input) => (props) => React.createElement(Input, { ...props, ...fields[props.id] }),
  },
});

/** The credentials of a curl command, which a picture of the page would give away. */
const CREDENTIALS = /(?<=authorization: (?:bearer|basic) )[^\s'"]+/gi;

/** Shows curl commands without the key; the button beside a command copies all of it. */
const maskedCommands = ({ React }) => ({
  wrapComponents: {
    SyntaxHighlighter: (SyntaxHighlighter) => (props) => {
      const isCommand = typeof props.children === 'string' && /^curl\b/.test(props.children);
      const shown = isCommand ? { children: props.children.replace(CREDENTIALS, '••••••••') } : {};
      return React.createElement(SyntaxHighlighter, { ...props, ...shown });
    },
  },
});

/** The operations that get one object, by the name of its id: `node_id` of `GET /v1/nodes/{node_id}`. */
function operationsById() {
  const { paths } = ui.specSelectors.specJson().toJS();
  const reads = Object.entries(paths).flatMap(([path, { get }]) => {
    const parameter = /\{(\w+_id)\}$/.exec(path)?.[1];
    return get === undefined || parameter === undefined ? [] : [[parameter, { path, parameter, get }]];
  });
  return Object.fromEntries(reads);
}

/** Each id in a reply, with the operation that gets its object: of `node_id`, `runs_on_node_id` and `node_ids`. */
function objectsOf(content) {
  const operations = Object.values(operationsById());
  const objects = new Map();
  JSON.parse(content, (name, value) => {
    const operation = operations.find(({ parameter }) => name.replace(/s$/, '').endsWith(parameter));
    const ids = operation === undefined ? [] : [value].flat().filter((id) => typeof id === 'string' && id !== '');
    for (const id of ids) objects.set(id, operation);
    return value;
  });
  return objects;
}

/** Opens the operation that gets an object, with the id in its field. */
function openOperation({ path, parameter, get }, id) {
  const [tag] = get.tags;
  ui.specActions.changeParam([path, 'get'], parameter, 'path', id, false);
  ui.layoutActions.show(['operations-tag', tag], true);
  ui.layoutActions.show(['operations', tag, get.operationId], true);
  // The operation is drawn by then.
  setTimeout(() => {
    const operation = document.getElementById(`operations-${tag}-${get.operationId}`);
    operation?.scrollIntoView();
    operation?.querySelector('button.execute')?.focus();
  }, 100);
}

/** Makes links of the ids that a reply shows. Only attributes change: React owns the elements. */
function linkIds(root, objects) {
  for (const span of root.querySelectorAll('span')) {
    const operation = span.childElementCount === 0 && objects.get(span.textContent.replaceAll('"', ''));
    if (!operation) continue;
    span.classList.add('id-link');
    span.tabIndex = 0;
    span.setAttribute('role', 'link');
  }
}

const linkedReplies = ({ React }) => ({
  wrapComponents: {
    responseBody: (ResponseBody) => (props) => {
      const root = React.useRef(null);
      const objects = React.useMemo(() => {
        try {
          return objectsOf(props.content);
        } catch {
          return new Map();
        }
      }, [props.content]);
      React.useEffect(() => linkIds(root.current, objects));
      const follow = (event) => {
        if (!event.target.classList.contains('id-link') || (event.type === 'keydown' && event.key !== 'Enter')) return;
        const id = event.target.textContent.replaceAll('"', '');
        openOperation(objects.get(id), id);
      };
      return React.createElement(
        'div',
        { ref: root, onClick: follow, onKeyDown: follow },
        React.createElement(ResponseBody, props),
      );
    },
  },
});

/**
 * Swagger UI reads and resolves the whole document before it shows anything, to resolve references in the security schemes.
 * There are none: the schemes are taken as they are. An operation is resolved when it is opened.
 */
const plainSecuritySchemes = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        requestResolvedSubtree:
          (resolve, { specActions, specSelectors }) =>
          (path) =>
            path.join('.') === 'components.securitySchemes'
              ? specActions.updateResolvedSubtree(path, specSelectors.specJson().getIn(path).toJS())
              : resolve(path),
      },
    },
  },
});

/** Of a union, Swagger UI shows the titles of its schemas. In the document they have none: the name of a component is its title. */
const namesAsTitles = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) => {
          for (const [title, schema] of Object.entries(document.components?.schemas ?? {})) schema.title ??= title;
          return update(document);
        },
      },
    },
  },
});

/** Fills the menu of the groups of operations. */
function showGroups() {
  const links = ui.specSelectors.taggedOperations().entrySeq();
  const items = links.map(([tag, group]) => {
    const link = document.createElement('a');
    link.href = `#/${encodeURIComponent(tag)}`;
    link.textContent = tag;
    link.addEventListener('click', () => {
      ui.layoutActions.show(['operations-tag', tag], true);
      document.getElementById(`operations-tag-${tag.replaceAll(' ', '_')}`)?.scrollIntoView();
    });
    const count = document.createElement('span');
    count.textContent = ` ${group.get('operations').size}`;
    const item = document.createElement('li');
    item.append(link, count);
    return item;
  });
  document.querySelector('#groups ul').replaceChildren(...items);
}

keepAccessible(document.getElementById('api-browser'));

// Only what is not the default, and what has to stay as it is whatever the default becomes.
const ui = window.SwaggerUIBundle({
  url: './openapi.json',
  domNode: document.getElementById('api-browser'),
  layout: 'BaseLayout',
  deepLinking: true,
  // The menu of groups opens them.
  docExpansion: 'none',
  // Each operation shows its schemas. A list of all of them takes more time than the operations, before any is shown.
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  // The numbers of the default theme are too weak to read.
  syntaxHighlight: { theme: 'obsidian' },
  filter: true,
  tryItOutEnabled: true,
  plugins: [plainOperationLines, authorizeDialog, maskedCommands, linkedReplies, plainSecuritySchemes, namesAsTitles],
  // A key that is typed here is forgotten with the page.
  persistAuthorization: false,
  // Only with the document can a key be given to one of its schemes. Without the server, requests say so themselves.
  onComplete: () => {
    showGroups();
    void continueSession().catch(() => undefined);
  },
  // No foreign service sees the document, and no link can make the page load another one.
  requestInterceptor: belowBase,
  validatorUrl: null,
  queryConfigEnabled: false,
});
