// Runs after `npm ci`, on any Node that the machine has. npm 10 removes the link `.bin/node` together with the platform
// packages that it skips, because all of them provide it; npm 11 keeps it.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)
const at = (path) => fileURLToPath(new URL(path, root))
const { optionalDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
const runtime = Object.keys(optionalDependencies).find(
  (name) => name.startsWith('node-') && existsSync(at(`node_modules/${name}/bin`)),
)
const isWindows = process.platform === 'win32'
const link = at(`node_modules/.bin/node${isWindows ? '.cmd' : ''}`)

if (runtime === undefined) {
  console.error(`There is no Node to bring for ${process.platform} ${process.arch}: install Node 24 by yourself.`)
} else if (!existsSync(link)) {
  if (isWindows) writeFileSync(link, `@"%~dp0\\..\\${runtime}\\bin\\node.exe" %*\r\n`)
  else symlinkSync(`../${runtime}/bin/node`, link)
}
