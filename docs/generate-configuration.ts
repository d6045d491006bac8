import { writeFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { FileSchema } from '../src/config/schema.ts'
import { variableTable } from '../src/config/variables.ts'

/** The pages that describe the configuration, by path in the repository, written from its schema and table. */
export function configurationPages(): Record<string, string> {
  return { 'docs/configuration.md': configurationPage(), '.env.example': environmentExample() }
}

/** A file that states a little of everything; it loads as it stands. */
export const exampleFile = {
  models: {
    default: 'model_provider_b',
    providers: {
      model_provider_b: {
        adapter: 'openai',
        baseUrl: 'https://models.example/v1',
        apiKeyEnv: 'MODEL_B_KEY',
        models: { fast: 'upstream-name-small', deep: 'upstream-name-large' },
      },
      model_provider_c: { adapter: 'disabled' },
    },
  },
  shopping: {
    mode: 'pick-http',
    providers: {
      shop_provider_a: {
        baseUrl: 'https://shop-a.example/api',
        apiKeyEnv: 'SHOP_A_KEY',
        linkHosts: ['item.shop-a.example'],
      },
    },
  },
  limits: { callsPerKey: { max: 600, windowSeconds: 60 } },
}

interface Node {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly oneOf?: readonly Node[]
  readonly discriminator?: { readonly propertyName: string }
  readonly items?: Node
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
}

const note = 'Written by `npm run docs` from src/config/variables.ts and src/config/schema.ts. Do not edit it here.'

function configurationPage(): string {
  return [
    '# Configuration',
    note,
    'Nothing has to be set to try the gateway: without any setting it serves `http://localhost:8787` on an embedded store. A wrong value stops the start with one line that names the key, its fault and the remedy.',
    '## Environment variables',
    table(
      ['variable', 'default', 'meaning'],
      variableTable.map(({ name, default: value, description }) => [`\`${name}\``, value, description]),
    ),
    'A loopback origin is one whose host is `localhost`, `127.x.x.x` or `[::1]`. An empty variable counts as not set.',
    '## The configuration file',
    'A JSON file, named by `GATEWAY_CONFIG`. It states only what differs from the defaults. Credentials are never in it: `apiKeyEnv` names the variable that holds one, and it is read at each call.',
    fenced('json', JSON.stringify(exampleFile, null, 2)),
    ...Object.entries((FileSchema as TSchema as Node).properties!).map(([name, node]) => section(name, node)),
    '',
  ].join('\n\n')
}

function section(name: string, node: Node): string {
  const rows = rowsOf(name, node)
  return `### ${name}\n\n${node.description}\n\n${table(['key', 'value', 'default', 'meaning'], rows)}`
}

/** One row for each key below; what is named freely stands as `<name>`. */
function rowsOf(path: string, node: Node, group = ''): string[][] {
  const own = Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    if (child.properties) return rowsOf(`${path}.${key}`, child, `${child.description} `)
    const standard = defaultText(child, node.required?.includes(key) ?? false)
    const row = [`\`${path}.${key}\``, valueText(child), standard, `${group}${child.description}`]
    return [row, ...rowsOf(`${path}.${key}`, child)]
  })
  const free = Object.values(node.patternProperties ?? {}).flatMap((child) => rowsOf(`${path}.<name>`, child))
  return [...own, ...free, ...variantRows(path, node)]
}

/** First the key that chooses a variant, then the keys of each. */
function variantRows(path: string, { discriminator, oneOf = [] }: Node): string[][] {
  if (!discriminator) return []
  const { propertyName } = discriminator
  const tags = oneOf.map((variant) => variant.properties![propertyName]!)
  const meaning = tags.map((tag) => `${code(tag.const)}: ${tag.description}`).join(' ')
  const choice = [`\`${path}.${propertyName}\``, tags.map(valueText).join(' or '), 'required', meaning]
  const rest = oneOf.flatMap(({ properties, ...variant }) => {
    const { [propertyName]: tag, ...others } = properties!
    return rowsOf(path, { ...variant, properties: others }).map(([key, ...cells]) => [
      `${key} (${tag!.const})`,
      ...cells,
    ])
  })
  return [choice, ...rest]
}

function valueText(node: Node): string {
  if (node.const !== undefined) return code(node.const)
  if (node.enum) return node.enum.map(code).join(' or ')
  if (node.items) return `list of ${valueText(node.items)}s`
  if (node.patternProperties) return 'object'
  const range = node.minimum === undefined ? '' : ` ${node.minimum}..${node.maximum}`
  return `${[node.type].flat().join(' or ')}${range}`
}

function defaultText(node: Node, isRequired: boolean): string {
  if (node.default !== undefined) return code(node.default)
  return isRequired ? 'required' : 'none'
}

const code = (value: unknown) => `\`${JSON.stringify(value)}\``
const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

function table(head: string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function environmentExample(): string {
  const head = [
    `# ${note}`,
    '# Copy it to .env and start with: node --env-file=.env src/main.ts',
    '# Every line is optional on a loopback origin.',
  ]
  const blocks = variableTable.map(({ name, default: value, description }) =>
    [`# ${description}`, `# Default: ${value}`, `# ${name}=`].join('\n'),
  )
  return `${[head.join('\n'), ...blocks].join('\n\n')}\n`
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(configurationPages())) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text)
    process.stdout.write(`${path}\n`)
  }
}
