/** Names and roles that Swagger UI does not give its elements. Only attributes change: React owns the elements. */
const attributes = {
  '#servers': { 'aria-label': 'Server' },
  '.examples-select-element': { 'aria-label': 'Example' },
  '.body-param__text': { 'aria-label': 'Body' },
  '.content-type': { 'aria-label': 'Media type' },
  '.close-modal': { 'aria-label': 'Close' },
  '.operation-filter-input': { 'aria-label': 'Filter by group' },
  '.information-container': { role: 'region', 'aria-label': 'About the API' },
  '.schemes-server-container': { role: 'region', 'aria-label': 'Server' },
  '.filter-container': { role: 'search' },
  '.modal-ux': { role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Available authorizations' },
  // The text of the button is its name.
  '.modal-btn[aria-label]': { 'aria-label': null },
  // What scrolls is reached by the keyboard.
  '.microlight, .model-box, .table-container': { tabindex: '0' },
  // The title of the page is the only heading above them.
  '#api-browser h3': { 'aria-level': '2' },
  '#api-browser h4': { 'aria-level': '3' },
  '#api-browser h5': { 'aria-level': '4' },
};

function complete(root) {
  // A field of a parameter has the name of the parameter.
  for (const row of root.querySelectorAll('[data-param-name]'))
    for (const field of row.querySelectorAll('select, input:not([type=file])'))
      if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', row.dataset.paramName);
  // Several operations can be open.
  for (const table of root.querySelectorAll('.responses-table[role=region]:not([aria-label])'))
    table.setAttribute('aria-label', `Responses of ${table.closest('.opblock')?.id.split('-').at(-1)}`);
  for (const [selector, values] of Object.entries(attributes))
    for (const element of root.querySelectorAll(selector))
      for (const [name, value] of Object.entries(values)) {
        if (value === null) element.removeAttribute(name);
        else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
      }
}

/** Completes what Swagger UI draws below an element, now and later. */
export function keepAccessible(root) {
  new MutationObserver(() => complete(root.ownerDocument)).observe(root, { childList: true, subtree: true });
}

/** The line of an operation is a button: without a link inside, which no screen reader would find. */
export const plainOperationLines = ({ React }) => ({
  wrapComponents: {
    DeepLink: (DeepLink) => (props) =>
      React.createElement(DeepLink, { ...props, enabled: props.enabled && !props.path.includes('/') }),
  },
});
