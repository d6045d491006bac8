import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = [process.env.CHROMIUM_PATH, ...places].find((path) => path && existsSync(path))

/** Whether the checks in a browser run: wherever there is one, and always where `.ci/run` asks for them. */
export const runsBrowser = executablePath !== undefined || process.env.REQUIRE_BROWSER !== undefined

export async function launchChromium(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('No Chromium here: install it, or set CHROMIUM_PATH to it.')
  // Without a sandbox, because tests also run as root in containers; they open nothing but our own pages.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
