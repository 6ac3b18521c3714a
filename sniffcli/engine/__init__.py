"""The engine: interned frontiers, play-outs, exact solving; integers inside, rules nowhere."""
