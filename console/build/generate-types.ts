import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenAPI3 } from 'openapi-typescript'
import { consoleOperations } from '../../src/app/features.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { consoleDocument } from '../../src/documents/console-document.ts'
import { openapiDocument } from '../../src/documents/openapi.ts'
import { operatorDocument } from '../../src/features/operators/contract/operations.ts'
import { stampOf } from './inputs.ts'

const root = join(import.meta.dirname, '..')
const targets = {
  payer: join(root, 'src/api/contract.gen.d.ts'),
  operator: join(root, 'src/operator/api/contract.gen.d.ts'),
}
const inputs = ['build/generate-types.ts', '../src/{base,contract,features}/**/*.ts', '../package-lock.json']

/** Writes the types of everything that each console may call, out of the contract; does nothing when they are current. */
async function main(): Promise<void> {
  const header = `// Made from the contract: ${stampOf(root, inputs)}\n`
  const isCurrent = (target: string) => existsSync(target) && readFileSync(target, 'utf8').startsWith(header)
  if (Object.values(targets).every(isCurrent)) return
  // Imported only now: loading it takes longer than everything above.
  const { default: openapiTypescript, astToString } = await import('openapi-typescript')
  const origin = 'http://localhost'
  // The names of the providers are configured, so to the console they are just texts that the server lists.
  const operations = publicOperations({ models: ['model'], shops: ['shop'] })
  const [open, own] = [openapiDocument({ operations, origin }), consoleDocument(consoleOperations, origin)]
  const document = {
    ...open,
    paths: { ...reachable(open.paths, '/v1'), ...reachable(own.paths, '/v1') },
    components: {
      ...open.components,
      headers: { ...open.components.headers, ...own.components.headers },
      schemas: { ...open.components.schemas, ...own.components.schemas },
    },
  }
  const operators = operatorDocument(origin)
  const write = async (target: string, described: object) =>
    writeFileSync(target, header + astToString(await openapiTypescript(described as unknown as OpenAPI3)))
  await write(targets.payer, document)
  await write(targets.operator, { ...operators, paths: reachable(operators.paths, '/api') })
}

type Paths = ReturnType<typeof openapiDocument>['paths']

/** The API alone, without its prefix, which differs in the local preview; and without headers that are never set by hand. */
function reachable(paths: Paths, prefix: '/v1' | '/api'): Paths {
  return Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => path.startsWith(`${prefix}/`))
      .map(([path, methods]) => [
        path.slice(prefix.length),
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [
            method,
            {
              ...operation,
              parameters: operation.parameters.filter(({ name }) => !automatic.has(name)),
              // Refusals have one shape for all operations, which is written down once in refusal.ts.
              responses: Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status < '300')),
            },
          ]),
        ),
      ]),
  )
}

const automatic = new Set(['Origin', 'X-CSRF-Token', 'If-None-Match'])

await main()
