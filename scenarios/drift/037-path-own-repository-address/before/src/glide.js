export function glide(distance) {
  return distance * 2;
}

export function land(distance) {
  return distance === 0;
}
