import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '../../..')

/** The clone has no history, or not enough of it. */
export class ReleaseMissing extends Error {}

/** The exit code of a run that cannot get the sources of the last release. */
export const releaseMissingCode = 3

/** Modules whose state belongs to the world: an older version uses those of this one. */
const shared = ['clock', 'timers', 'randomness', 'network', 'ids'].map((name) => `src/base/${name}.ts`)

export interface Release {
  readonly version: string
  readonly import: (path: string) => Promise<unknown>
  readonly remove: () => void
}

/** The sources of the last release, which `release.json` names, in a temporary folder; with `more` folders on request. */
export function checkOutRelease(...more: readonly string[]): Release {
  const { version, commit } = JSON.parse(readFileSync(join(root, 'release.json'), 'utf8')) as Record<string, string>
  const folder = mkdtempSync(join(tmpdir(), 'gateway-release-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    extract(version!, commit!, [...more, 'src', 'package.json'], folder)
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    for (const path of shared)
      writeFileSync(join(folder, path), `export * from ${JSON.stringify(pathToFileURL(join(root, path)).href)}\n`)
  } catch (error) {
    remove()
    throw error
  }
  return { version: version!, import: (path) => import(pathToFileURL(join(folder, path)).href), remove }
}

function extract(version: string, commit: string, paths: readonly string[], folder: string): void {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{tree}`], { cwd: root, stdio: 'ignore' })
  } catch {
    throw new ReleaseMissing(
      `the sources of ${version} (commit ${commit}) are not in this clone: run git fetch --unshallow, or clone the whole history`,
    )
  }
  const archive = execFileSync('git', ['archive', '--format=tar', commit, ...paths], {
    cwd: root,
    maxBuffer: 2 ** 28,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
}
