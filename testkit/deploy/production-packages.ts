interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>
}

/** The folders in node_modules that the gateway's own dependencies need, as `npm ci --omit=dev --omit=optional` installs them. */
export function productionPackages(lock: { packages: Readonly<Record<string, LockedPackage>> }): string[] {
  const { packages } = lock
  const found = new Set<string>()
  const visit = (path: string) => {
    for (const name of Object.keys(packages[path]!.dependencies ?? {})) {
      const place = placeOf(name, path)
      if (found.has(place)) continue
      found.add(place)
      visit(place)
    }
  }
  /** As Node looks for it: next to the package first, then further up. */
  function placeOf(name: string, path: string): string {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
      if (packages[place]) return place
      if (folder === '') throw new Error(`package-lock.json has no ${name}`)
    }
  }
  visit('')
  return [...found].toSorted()
}
