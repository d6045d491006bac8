import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { overviewQuery } from '../api/queries.ts'
import styles from '../design/frame/nav.module.css'
import { Icons } from '../design/icons.tsx'
import { warm } from '../pages/pages.ts'
import { place } from '../place.ts'

const groups = [
  ['money', ['overview', 'recharge', 'usage', 'ledger', 'reviews']],
  ['building', ['keys', 'playground', 'media', 'webhooks', 'pricing']],
  ['you', ['events', 'alerts', 'account']],
] as const

export function Nav() {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('nav.label')} className={styles.nav}>
      {groups.map(([group, names]) => (
        <div key={group}>
          <h2 className={styles.group} id={`nav-${group}`}>
            {t(`nav.${group}`)}
          </h2>
          <ul aria-labelledby={`nav-${group}`}>
            {names.map((name) => (
              <li key={name}>
                <NavItem name={name} />
              </li>
            ))}
            {group === 'building' && (
              <li>
                <a className={styles.item} href={place.docs} target="_blank" rel="noreferrer">
                  <Icons.external />
                  {t('nav.docs')}
                </a>
              </li>
            )}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function NavItem({ name }: { name: (typeof groups)[number][1][number] }) {
  const { t } = useTranslation()
  const [location] = useLocation()
  const path = name === 'overview' ? '/' : `/${name}`
  const isHere = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)
  const Icon = Icons[name]
  return (
    <Link
      href={path}
      className={styles.item}
      aria-current={isHere ? 'page' : undefined}
      onPointerEnter={() => warm(name)}
      onFocus={() => warm(name)}
    >
      <Icon />
      {t(`nav.${name}`)}
      {name === 'reviews' && <OpenReviews />}
    </Link>
  )
}

function OpenReviews() {
  const { t } = useTranslation()
  const { data } = useQuery(overviewQuery)
  const count = data?.held.find(({ state }) => state === 'manual_review')?.charges ?? 0
  return count > 0 ? (
    <span className={styles.count} role="img" aria-label={t('nav.openReviews', { count })}>
      {count}
    </span>
  ) : null
}
