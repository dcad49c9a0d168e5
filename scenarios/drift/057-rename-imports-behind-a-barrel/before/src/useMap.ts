import { useRef } from 'preact/hooks'

export function useMap(value: Map<string, number>) {
  return useRef(value)
}
