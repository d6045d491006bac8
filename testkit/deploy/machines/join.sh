#!/bin/sh
# Adds a network namespace with an address to the network: join.sh NAME ADDRESS
set -eu
ip netns add "$1"
ip link add "lan-$1" type veth peer name eth0 netns "$1"
ip link set "lan-$1" master lan up
ip -netns "$1" link set lo up
ip -netns "$1" address add "$2/24" dev eth0
ip -netns "$1" link set eth0 up
