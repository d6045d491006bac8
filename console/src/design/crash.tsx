import i18next from 'i18next'
import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './crash.module.css'
import { Notice } from './notice.tsx'

interface CrashProps {
  readonly children: ReactNode
  /** Prepares another attempt. Without it only a reload helps. */
  readonly onRetry?: () => void
  /** Where the reader is: going elsewhere is another attempt. */
  readonly at?: string
}

/** Stands in for what failed, for instance because a part of it could not be loaded. */
export class Crash extends Component<CrashProps, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidMount() {
    addEventListener('online', this.#retry)
  }

  override componentDidUpdate({ at }: CrashProps) {
    if (at !== this.props.at) this.#retry()
  }

  override componentWillUnmount() {
    removeEventListener('online', this.#retry)
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    const isNotLoaded = isLoadingError(error)
    return (
      <div className={styles.crash}>
        <Notice
          tone="bad"
          isNews
          title={i18next.t(isNotLoaded ? 'trouble.notLoadedTitle' : 'trouble.title')}
          actions={
            <>
              {this.props.onRetry && <Button onClick={this.#retry}>{i18next.t('common.tryAgain')}</Button>}
              <Button variant="default" onClick={() => location.reload()}>
                {i18next.t('trouble.reload')}
              </Button>
            </>
          }
        >
          {i18next.t(isNotLoaded ? 'trouble.notLoaded' : 'trouble.crashed')}
        </Notice>
      </div>
    )
  }

  #retry = () => {
    if (this.state.error === null || !this.props.onRetry) return
    this.props.onRetry()
    this.setState({ error: null })
  }
}

/** Browsers agree on the kind of error for an import that failed, not on its words. */
const isLoadingError = (error: unknown): boolean => error instanceof TypeError && /import|module/i.test(error.message)
