import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenAPI3 } from 'openapi-typescript'
import { publicOperations } from '../../src/contract/operations.ts'
import { consoleDocument } from '../../src/documents/console-document.ts'
import { openapiDocument } from '../../src/documents/openapi.ts'
import { stampOf } from './inputs.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'src/api/contract.gen.d.ts')
const inputs = ['build/generate-types.ts', '../src/contract/**/*.ts', '../package-lock.json']

/** Writes the types of everything the console may call, out of the contract; does nothing when they are current. */
async function main(): Promise<void> {
  const header = `// Made from the contract: ${stampOf(root, inputs)}\n`
  if (existsSync(target) && readFileSync(target, 'utf8').startsWith(header)) return
  // Imported only now: loading it takes longer than everything above.
  const { default: openapiTypescript, astToString } = await import('openapi-typescript')
  const origin = 'http://localhost'
  // The names of the providers are configured, so to the console they are just texts that the server lists.
  const operations = publicOperations({ models: ['model'], shops: ['shop'] })
  const [open, own] = [openapiDocument({ operations, origin }), consoleDocument(origin)]
  const document = {
    ...open,
    paths: { ...reachable(open.paths), ...reachable(own.paths) },
    components: {
      ...open.components,
      headers: { ...open.components.headers, ...own.components.headers },
      schemas: { ...open.components.schemas, ...own.components.schemas },
    },
  }
  writeFileSync(target, header + astToString(await openapiTypescript(document as unknown as OpenAPI3)))
}

type Paths = ReturnType<typeof openapiDocument>['paths']

/** The API alone, without its prefix, which differs in the local preview; and without headers that are never set by hand. */
function reachable(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => path.startsWith('/v1/'))
      .map(([path, methods]) => [
        path.slice('/v1'.length),
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
