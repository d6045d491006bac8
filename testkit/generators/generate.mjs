/** Generates clients from all documents of a folder, with one generator: `node generate.mjs GENERATOR FOLDER`. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [generator, folder] = process.argv.slice(2)
const documents = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ name: file.replace('.json', ''), file: join(folder, file) }))
const output = join(folder, generator)

const generators = {
  async 'openapi-typescript'() {
    const { default: generate, astToString } = await import('openapi-typescript')
    mkdirSync(output)
    for (const { name, file } of documents) {
      const document = JSON.parse(readFileSync(file, 'utf8'))
      writeFileSync(join(output, `${name}.ts`), astToString(await generate(document)))
    }
  },
  async 'hey-api'() {
    const { createClient } = await import('@hey-api/openapi-ts')
    const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk']
    await createClient(
      documents.map(({ name, file }) => ({
        ...{ input: file, output: { path: join(output, name) }, plugins },
        logs: { file: false },
      })),
    )
  },
  async orval() {
    const { generate } = await import('orval')
    for (const { name, file } of documents) {
      const target = join(output, `${name}.ts`)
      await generate({ input: { target: file }, output: { target, client: 'fetch', mode: 'single' } })
    }
  },
}

await generators[generator]()
