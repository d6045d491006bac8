import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'

const run = promisify(execFile)
const chart = resolve(import.meta.dirname, '../../../deploy/helm')
const read = (name: string) => readFileSync(join(chart, name), 'utf8')

export const chartFile = parse(read('Chart.yaml'))
export const defaultValues = parse(read('values.yaml'))
export const valuesSchema = JSON.parse(read('values.schema.json'))

/** What a template made; a test looks into whatever came out. */
// biome-ignore lint/suspicious/noExplicitAny: resources of all kinds
export type Resource = any

export interface ChartRenderer {
  /** The resources of a release called `shop`, by kind and name. Values replace the defaults, as with `--values`. */
  render(values: object): Promise<Resource[]>
  close(): Promise<void>
}

/** Builds the renderer once; see render.go. */
export async function buildRenderer(go: string): Promise<ChartRenderer> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-helm-'))
  const program = join(folder, 'render')
  const env = {
    PATH: process.env.PATH,
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOCACHE: join(folder, 'cache'),
  }
  await run(go, ['build', '-o', program, join(import.meta.dirname, 'render.go')], { env })
  const templates = Object.fromEntries(
    readdirSync(join(chart, 'templates')).map((name) => [name, read(join('templates', name))]),
  )
  return {
    async render(values) {
      const data = {
        Values: merge(defaultValues, values),
        Chart: { Name: chartFile.name, Version: chartFile.version, AppVersion: chartFile.appVersion },
        Release: { Name: 'shop', Namespace: 'shop', Service: 'Helm' },
      }
      const rendering = run(program)
      rendering.child.stdin!.end(JSON.stringify({ templates, data }))
      const texts: Record<string, string> = JSON.parse((await rendering).stdout)
      return Object.values(texts).flatMap((text) =>
        parseAllDocuments(text).flatMap((document) => {
          if (document.errors.length > 0) throw new Error(`${document.errors[0]!.message}\n${text}`)
          return document.toJSON() ?? []
        }),
      )
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** As Helm merges values: maps by key, everything else is replaced. */
export function merge(defaults: Resource, values: Resource): Resource {
  if (!isMap(defaults) || !isMap(values)) return values
  const keys = new Set([...Object.keys(defaults), ...Object.keys(values)])
  return Object.fromEntries(
    [...keys].map((key) => [key, key in values ? merge(defaults[key], values[key]) : defaults[key]]),
  )
}

const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
