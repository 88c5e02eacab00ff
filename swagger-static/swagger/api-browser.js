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

// Only what is not the default, and what has to stay as it is whatever the default becomes.
const ui = window.SwaggerUIBundle({
  url: './openapi.json',
  domNode: document.getElementById('api-browser'),
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  // Each operation shows its schemas. A list of all of them takes more time than the operations, before any is shown.
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  plugins: [authorizeDialog, maskedCommands, plainSecuritySchemes],
  // A key that is typed here is forgotten with the page.
  persistAuthorization: false,
  // Only with the document can a key be given to one of its schemes. Without the server, requests say so themselves.
  onComplete: () => continueSession().catch(() => undefined),
  // No foreign service sees the document, and no link can make the page load another one.
  requestInterceptor: belowBase,
  validatorUrl: null,
  queryConfigEnabled: false,
});

/** The layout without a top bar has no selection of documents, so the page has its own. */
document.getElementById('document').addEventListener('change', ({ target }) => {
  ui.specActions.updateUrl(target.value);
  ui.specActions.download(target.value);
});
