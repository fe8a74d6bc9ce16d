// Who may know whom. Read each rule as: files of `folder` see nothing of ours but `mayImport`.
const { readdirSync } = require('node:fs')

const src = '^server/src'
const test = '[.]test[.]ts$'
const pages = '^dashboard/src'
// Every folder of the dashboard but those that all of them use.
const features = readdirSync(`${__dirname}/dashboard/src`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['ui', 'style'].includes(entry.name))
  .map(({ name }) => name)
const feature = `(${features.join('|')})`

const only = (folder, mayImport, comment) => ({
  name: `${folder}-stays-low`,
  severity: 'error',
  comment,
  from: { path: `${src}/${folder}/`, pathNot: test },
  to: {
    path: '^(server|contract|sdk|dashboard)/',
    pathNot: [
      'node_modules/',
      `${src}/${folder}/`,
      ...mayImport.map((name) => (name.startsWith('contract') ? `^${name}` : `${src}/${name}/`)),
    ],
  },
})

// The steps of a telephone call. Each knows itself and those before it.
const sipFolders = ['message', 'transport', 'transactions', 'auth', 'call', 'trunk', 'sound', 'line', 'door']

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Types count: a circle of types is a circle of design.',
      from: {},
      to: { circular: true },
    },
    only('media', [], 'Pure arithmetic on frames.'),
    only('platform', ['contract/src/companies'], 'Stands under everything.'),
    only('ports', ['media', 'contract'], 'Interfaces only.'),
    only('call', ['ports', 'media', 'platform'], 'The engine knows no wire, no vendor, no SQL, no HTTP.'),
    only(
      'vendors',
      ['ports', 'media', 'platform', 'contract'],
      'A company knows its port and nothing of us.',
    ),
    only('engines', ['ports', 'media', 'platform', 'contract'], 'Offline engines know no company.'),
    only('carriers', ['ports', 'media', 'platform', 'contract'], 'A line knows nobody who speaks on it.'),
    only(
      'speech',
      ['vendors', 'engines', 'call', 'ports', 'media', 'platform', 'contract'],
      'Chooses among companies and engines.',
    ),
    only(
      'mind',
      ['speech', 'vendors', 'engines', 'call', 'ports', 'media', 'platform', 'contract'],
      'Chooses among models, and stands around them.',
    ),
    only('http', ['platform', 'contract'], 'The pipeline knows no resource.'),
    only('resources', ['http', 'ports', 'media', 'platform', 'contract'], 'Rules and SQL; no vendor.'),
    {
      name: 'resources-meet-at-the-front-door',
      severity: 'error',
      comment: 'Another resource is entered by the file that bears its name.',
      from: { path: `${src}/resources/([^/]+)/`, pathNot: test },
      to: {
        path: `${src}/resources/([^/]+)/`,
        pathNot: [`${src}/resources/$1/`, `${src}/resources/([^/]+)/\\1[.]ts$`],
      },
    },
    {
      name: 'processes-enter-at-a-door',
      severity: 'error',
      comment:
        'What starts processes takes a resource by its front door, its routes, its work, or what needs no database.',
      from: { path: `${src}/(main|cli)/`, pathNot: test },
      to: {
        path: `${src}/resources/`,
        pathNot: [
          `${src}/resources/([^/]+)/\\1[.]ts$`,
          `${src}/resources/[^/]+/(routes|work|without-database)[.]ts$`,
        ],
      },
    },
    {
      name: 'companies-do-not-meet',
      severity: 'error',
      comment: 'A company is a folder; what several share is in vendors/over/.',
      from: { path: `${src}/vendors/(?!over/)([^/]+)/`, pathNot: test },
      to: { path: `${src}/vendors/`, pathNot: [`${src}/vendors/$1/`, `${src}/vendors/over/`] },
    },
    {
      name: 'shared-halves-know-no-company',
      severity: 'error',
      comment: 'A shared half is given a description; it names no company.',
      from: { path: `${src}/vendors/over/`, pathNot: test },
      to: { path: `${src}/vendors/`, pathNot: `${src}/vendors/over/` },
    },
    {
      name: 'engines-get-a-plan',
      severity: 'error',
      comment:
        "The agent's configuration as it is on the wire is understood in resources/calls/plan/plan-call.ts and nowhere below it.",
      from: {
        path: `${src}/(ports|vendors|engines|speech|mind)/`,
        pathNot: test,
      },
      to: { path: '^contract/src/(index|agent[^/]*|agents/[^/]*)[.]ts$' },
    },
    {
      name: 'carriers-do-not-meet',
      severity: 'error',
      comment: 'A carrier is a folder; what several share stands beside the folders.',
      from: { path: `${src}/carriers/([^/]+)/`, pathNot: test },
      to: {
        path: `${src}/carriers/`,
        pathNot: [`${src}/carriers/$1/`, `${src}/carriers/[^/]+[.]ts$`],
      },
    },
    ...sipFolders.map((folder, place) => ({
      name: `sip-${folder}-knows-no-later-step`,
      severity: 'error',
      comment: `In carriers/sip, a folder imports only itself and those before it: ${sipFolders.join(', ')}.`,
      from: { path: `${src}/carriers/sip/${folder}/`, pathNot: test },
      to: {
        path: `${src}/carriers/sip/`,
        pathNot: `${src}/carriers/sip/(${sipFolders.slice(0, place + 1).join('|')})/`,
      },
    })),
    {
      name: 'carriers-by-their-record',
      severity: 'error',
      comment: 'The service takes carriers from the index; only what a carrier is made of knows a folder.',
      from: { path: `${src}/`, pathNot: [test, `${src}/carriers/`] },
      to: { path: `${src}/carriers/[^/]+/` },
    },
    {
      name: 'arrivals-are-opaque',
      severity: 'error',
      comment: 'What moves between threads is known to a carrier and to main, not to ports and resources.',
      from: { path: `${src}/(ports|resources)/`, pathNot: test },
      to: { path: '^(node:)?worker_threads' },
    },
    {
      name: 'main-is-a-root',
      severity: 'error',
      comment: 'Nobody imports main but tests.',
      from: { pathNot: [`${src}/(main|cli)/`, '^server/(bin|test)/', '^(bench|faults)/', test] },
      to: { path: `${src}/main/` },
    },
    {
      name: 'cli-is-a-root',
      severity: 'error',
      comment: 'Nobody imports the command line.',
      from: { pathNot: [`${src}/cli/`, '^server/(bin|test)/', test] },
      to: { path: `${src}/cli/` },
    },
    {
      name: 'product-without-props',
      severity: 'error',
      comment: 'What ships does not need what tests are made of.',
      from: { path: '^(server/src|contract|sdk/src|dashboard/src)/', pathNot: test },
      to: { path: '^server/test/' },
    },
    {
      name: 'no-io-in-the-engine',
      severity: 'error',
      comment: 'No sockets, files or SQL where the 20 ms clock ticks.',
      from: { path: `${src}/(call|media|ports)/`, pathNot: test },
      to: {
        path: [
          '^(node:)?(fs|net|http|https|dgram|child_process|tls|timers)',
          'node_modules/(ws|pg|undici|fastify)',
        ],
      },
    },
    {
      name: 'contract-is-words',
      severity: 'error',
      comment: 'The contract imports zod and nothing else.',
      from: { path: '^contract/', pathNot: test },
      to: { pathNot: ['^contract/', 'node_modules/zod'] },
    },
    {
      name: 'addresses-stand-alone',
      severity: 'error',
      comment: 'A client that needs the addresses does not get the schemas with them.',
      from: { path: '^contract/src/addresses[^/]*[.]ts$', pathNot: test },
      to: {},
    },
    {
      name: 'clients-stay-outside',
      severity: 'error',
      comment: 'Clients speak to the server over the wire only.',
      from: { path: '^(sdk|dashboard)/', pathNot: test },
      to: { path: '^server/' },
    },
    {
      name: 'sdk-ships-types-only',
      severity: 'error',
      comment: 'Of the contract, the client library carries the addresses; everything else only as types.',
      from: { path: '^sdk/src/', pathNot: test },
      to: {
        path: '^contract/',
        pathNot: '^contract/src/addresses[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'dashboard-ships-no-schemas',
      severity: 'error',
      comment: 'Of the contract, the dashboard carries only what is free of zod.',
      from: { path: '^dashboard/src/', pathNot: test },
      to: {
        path: '^contract/',
        pathNot:
          '^contract/src/(addresses|agent-merge|agent-templates|companies|missing-prices|model-ends|named-models|' +
          'sandbox-characters|telephone-number|web-sound)[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'features-meet-at-the-front-door',
      severity: 'error',
      comment:
        'Another feature of the dashboard is entered by the file that bears its name. Every page knows the session.',
      from: { path: `${pages}/${feature}/`, pathNot: test },
      to: {
        path: `${pages}/${feature}/`,
        pathNot: [
          `${pages}/$1/`,
          `${pages}/([^/]+)/\\1[.]tsx?$`,
          `${pages}/session/(workspace|sign-out-button)[.]tsx$`,
        ],
      },
    },
    {
      name: 'ui-knows-no-feature',
      severity: 'error',
      comment: 'Parts that several features use know the server and the browser, and no feature.',
      from: { path: `${pages}/ui/`, pathNot: test },
      to: { path: `${pages}/`, pathNot: `${pages}/(ui/|api[.]ts|router[.]tsx)` },
    },
    {
      name: 'pages-are-loaded-when-shown',
      severity: 'error',
      comment:
        'The table of pages loads a page when it is first shown; nothing else makes it part of another.',
      from: { path: `${pages}/`, pathNot: [`${pages}/(talk|shared)/main[.]tsx$`, test] },
      to: {
        // The pages for unknown addresses and for signing in are part of the frame.
        path: `${pages}/(?!shell/nowhere|session/sign-in)[^/]+/[^/]+-page[.]tsx$`,
        dependencyTypesNot: ['dynamic-import'],
      },
    },
    {
      name: 'api-is-the-only-door',
      severity: 'error',
      comment: 'Every request of the dashboard is listed in api.ts.',
      from: { path: `${pages}/`, pathNot: [`${pages}/api[.]ts$`, test] },
      to: { path: `${pages}/ask[.]ts$` },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '[.]d[.]ts$|/dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
}
